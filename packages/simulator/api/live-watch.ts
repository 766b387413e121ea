import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '../store/agenda.ts';
import { expired, type ApiRefusal } from '../store/api-refusal.ts';
import type { Change, Collection } from '../store/collection.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { Revision } from '../store/revision.ts';
import type { Selection } from './selection.ts';
import type { WatchSink } from './watch-sink.ts';

export type WatchOrder = Readonly<{
  kind: ResourceKind;
  collection: Collection;
  selection: Selection;
  /** All objects that exist come first, as ADDED. */
  initial: 'none' | 'synthetic' | 'withBookmark';
  /** Events after this resourceVersion. */
  after: number;
  bookmarks: boolean;
  timeout: Millis;
  /** How an object is shown. */
  show: (revision: Revision) => string;
  /** The newest resourceVersion of the whole server, for bookmarks. */
  newest: () => number;
}>;

const bookmarkEvery: Millis = 60_000;
/** Kubernetes sends the last bookmark this long before it ends a watch. */
const bookmarkBeforeEnd: Millis = 2_000;

/**
 * One open watch. It pulls from the collection's history as fast as the reader reads, so that a slow reader
 * needs no queue. A reader that a compaction overtakes gets the ERROR event that Kubernetes sends.
 */
export class LiveWatch {
  readonly kind: ResourceKind;
  #order: WatchOrder;
  readonly #sink: WatchSink;
  readonly #stops: (() => void)[] = [];
  readonly #agenda: Agenda;
  #unfollow: () => void;
  /** All changes up to this one have been sent, while the watch lags; it does not lag once all have been sent. */
  #cursor: number;
  #lags = true;
  #paused = false;
  #ended = false;

  constructor(order: WatchOrder, sink: WatchSink, agenda: Agenda, onEnd: (watch: LiveWatch) => void) {
    this.kind = order.kind;
    this.#order = order;
    this.#sink = sink;
    this.#agenda = agenda;
    this.#stops.push(() => onEnd(this));
    this.#cursor = order.after;
    sink.begin({ onDrain: () => this.#pull(), onClose: () => this.#stop() });
    this.#unfollow = this.#followCollection();
    this.#stops.push(
      () => this.#unfollow(),
      agenda.after(order.timeout, () => this.end()),
    );
    if (order.bookmarks && order.timeout > bookmarkBeforeEnd) {
      this.#stops.push(agenda.after(order.timeout - bookmarkBeforeEnd, () => this.#bookmark()));
      this.#bookmarkRegularly();
    }
    this.#begin();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Sends nothing until `resume` is called, and then everything that was missed. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#pull();
  }

  /** From now on it tells of the fork of a store. */
  moveTo(fork: ObjectStore): void {
    if (this.#ended) return;
    this.#unfollow();
    this.#order = { ...this.#order, collection: fork.of(this.kind), newest: () => fork.resourceVersion };
    this.#unfollow = this.#followCollection();
  }

  /** Ends it as the server does when its time is up. */
  end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
  }

  /** Cuts the connection. */
  cut(): void {
    this.#stop();
    this.#sink.cut();
  }

  /** Nothing comes any more, and nobody says so: the connection stays open. */
  abandon(): void {
    this.#stop();
  }

  /** Sends an error within the stream, and ends it. */
  fail(refusal: ApiRefusal): void {
    if (this.#ended) return;
    this.#send('ERROR', JSON.stringify(refusal.status));
    this.end();
  }

  #begin(): void {
    const { initial, collection, selection } = this.#order;
    if (initial === 'none') {
      this.#pull();
      return;
    }
    this.#lags = false;
    for (const revision of collection.list(selection.namespace))
      if (selection.selects(revision)) this.#send('ADDED', this.#order.show(revision));
    // Whether or not the reader keeps up: without it a client never believes that it has all.
    if (initial === 'withBookmark') this.#sendBookmark({ 'k8s.io/initial-events-end': 'true' });
  }

  #followCollection(): () => void {
    const { collection, selection } = this.#order;
    return collection.onChange((change) => this.#follow(change), selection.namespace);
  }

  #follow(change: Change): void {
    if (this.#lags) {
      this.#pull();
    } else if (!this.#ended && this.#isHeld()) {
      this.#lags = true;
      this.#cursor = change.resourceVersion - 1;
    } else if (!this.#ended) {
      this.#tell(change);
    }
  }

  #isHeld(): boolean {
    return this.#paused || this.#sink.isFull;
  }

  #pull(): void {
    if (this.#ended || !this.#lags || this.#isHeld()) return;
    const changes = this.#order.collection.missed(this.#cursor);
    if (changes === undefined) {
      this.fail(expired(`too old resource version: ${this.#cursor} (${this.#order.newest()})`));
      return;
    }
    this.#lags = false;
    for (const change of changes) this.#tell(change);
  }

  /** An object that stops matching the selectors is deleted for this watch, and is sent as it last matched. */
  #tell({ type, revision, previous, resourceVersion }: Change): void {
    const { after, initial, selection } = this.#order;
    // A client may have seen more than there is, for example before a backup was restored. It waits in silence until the version is reached again.
    if (initial === 'none' && resourceVersion <= after) return;
    const { selects } = selection;
    const did = previous !== undefined && selects(previous);
    const does = type !== 'DELETED' && selects(revision);
    if (did && does) this.#send('MODIFIED', this.#order.show(revision));
    else if (does) this.#send('ADDED', this.#order.show(revision));
    else if (did) this.#send('DELETED', this.#order.show(new Revision(previous.object, resourceVersion)));
  }

  #send(type: string, object: string): void {
    this.#sink.write(`{"type":"${type}","object":${object}}\n`);
  }

  #bookmark(): void {
    if (this.#ended || this.#isHeld() || this.#order.newest() < this.#order.after) return;
    this.#pull();
    this.#sendBookmark();
  }

  #sendBookmark(annotations?: Readonly<Record<string, string>>): void {
    const metadata = {
      // Everything up to now has been sent, or did not concern this watch.
      resourceVersion: String(this.#order.newest()),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const { kind } = this.#order;
    this.#send('BOOKMARK', JSON.stringify({ kind: kind.kind, apiVersion: apiVersionOf(kind), metadata }));
  }

  #bookmarkRegularly(): void {
    const cancel = this.#agenda.after(bookmarkEvery, () => {
      this.#stops.splice(this.#stops.indexOf(cancel), 1);
      if (this.#ended) return;
      this.#bookmark();
      this.#bookmarkRegularly();
    });
    this.#stops.push(cancel);
  }

  #stop(): void {
    this.#ended = true;
    for (const stop of this.#stops.splice(0)) stop();
  }
}
