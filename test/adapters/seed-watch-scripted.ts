import { firstValueFrom, type Subscription } from 'rxjs';
import type { KubeClient, KubeRequest } from '../../src/adapters/kube/kube-client.ts';
import { KubeError } from '../../src/adapters/kube/kube-error.ts';
import type { Clock } from '../../src/effects/ports.ts';
import { labelSelector } from '@dwd/simulator/api/selection.ts';

export type SeedObject = Readonly<{
  metadata: Readonly<{
    namespace?: string;
    name: string;
    resourceVersion: string;
    labels?: Readonly<Record<string, string>>;
  }>;
  [field: string]: unknown;
}>;

type Query = Readonly<Record<string, string>>;

/** Where `isGone`, `object` is the last state. */
type Change = Readonly<{
  revision: number;
  path: string;
  object: SeedObject;
  before: SeedObject | undefined;
  isGone: boolean;
}>;

type Watch = {
  readonly path: string;
  readonly query: Query;
  /** Lines to come; an error breaks the watch, null ends it. */
  readonly queue: unknown[];
  wake: () => void;
};

/** `look`: a list of one object, for the seed's version. */
type Verb = 'list' | 'watch' | 'look';
type Asked = Pick<KubeRequest, 'path' | 'lane' | 'by'> & Readonly<{ verb: Verb; query: Query }>;

/** A seed without a wire: lists with pages, watches with history, and every fault that a test asks for. */
export class ScriptedSeed implements KubeClient {
  readonly asked: Asked[] = [];
  /** The answers to the next requests of that verb; `null` hangs. */
  readonly faults: Record<Verb, (KubeError | null)[]> = { list: [], watch: [], look: [] };
  /** The answer to every request to that path. */
  readonly refusals = new Map<string, KubeError>();
  /** Called before each request is answered; an error that it returns is the answer. */
  refuse: (query: Query) => KubeError | undefined = () => undefined;
  /** How long each answer takes. */
  latency = 0;
  /** Watches get no line at all, not even a bookmark, though they are open. */
  deaf = false;
  tellsOpened = true;
  readonly #clock: Clock;
  readonly #objects = new Map<string, Map<string, SeedObject>>();
  readonly #pages = new Map<string, readonly SeedObject[]>();
  readonly #watches = new Set<Watch>();
  #history: Change[] = [];
  #compacted = 0;
  #revision = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  objects(path: string): SeedObject[] {
    return [...(this.#objects.get(path)?.values() ?? [])];
  }

  put(path: string, namespace: string, name: string, fields: Readonly<Record<string, unknown>> = {}): string {
    const key = `${namespace}/${name}`;
    const held = this.#held(path);
    const before = held.get(key);
    const object = {
      ...fields,
      metadata: {
        ...(fields['metadata'] as object | undefined),
        ...(namespace === '' ? {} : { namespace }),
        name,
        resourceVersion: String(++this.#revision),
      },
    };
    held.set(key, object);
    this.#publish({ revision: this.#revision, path, object, before, isGone: false });
    return String(this.#revision);
  }

  remove(path: string, namespace: string, name: string): void {
    const held = this.#held(path);
    const object = held.get(`${namespace}/${name}`);
    if (object === undefined) return;
    held.delete(`${namespace}/${name}`);
    const resourceVersion = String(++this.#revision);
    this.#publish({
      revision: this.#revision,
      path,
      before: object,
      isGone: true,
      object: { ...object, metadata: { ...object.metadata, resourceVersion } },
    });
  }

  /** Forgets all history and all pages: a client that is behind gets 410. */
  compact(): void {
    this.#history = [];
    this.#compacted = this.#revision;
    this.#pages.clear();
  }

  /** Restores a backup: the newest resourceVersion is one of long ago. The test puts the objects anew. */
  rewind(revision: number): void {
    this.#revision = revision;
    for (const held of this.#objects.values()) held.clear();
    this.compact();
    this.say({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
  }

  /**
   * Saves the present state. The returned function restores it: the objects have their old versions, the counter has overtaken
   * what was seen since by `ahead`, and a client that is behind gets 410; where nothing `isForgotten`, it misses what was undone.
   */
  backup(): (ahead: number, isForgotten?: boolean) => void {
    const kept = structuredClone(this.#objects);
    return (ahead, isForgotten = true) => {
      this.#objects.clear();
      for (const [path, held] of structuredClone(kept)) this.#objects.set(path, held);
      this.#history = [];
      this.#revision += ahead;
      if (isForgotten) this.compact();
      this.cut();
    };
  }

  /** Sets the counter. */
  wind(revision: number): void {
    this.#revision = revision;
  }

  /** Every open watch gets this: a line, an error that breaks it, or null that ends it. */
  say(line: unknown, path?: string): void {
    for (const watch of this.#watches) if (path === undefined || watch.path === path) push(watch, line);
  }

  cut(path?: string): void {
    this.say(new KubeError('unreachable', 'the connection broke'), path);
  }

  bookmark(path?: string): void {
    this.say(bookmarkOf(this.#revision), path);
  }

  async request(request: KubeRequest): Promise<unknown> {
    const query = request.query ?? {};
    const verb = query['limit'] === '1' ? 'look' : 'list';
    this.asked.push({ ...request, verb, query });
    await this.#admit(verb, request);
    const token = query['continue'];
    const found =
      token === undefined
        ? this.objects(request.path).filter((object) => selects(query, object))
        : this.#pages.get(token);
    if (found === undefined) throw statusError(410, 'the page is gone');
    const revision = token === undefined ? this.#revision : Number(token.split(':')[0]);
    const limit = Number(query['limit']);
    const rest = found.slice(limit);
    const next = rest.length === 0 ? '' : `${revision}:${this.#pages.size}:${rest.length}`;
    if (next !== '') this.#pages.set(next, rest);
    return {
      metadata: { resourceVersion: String(revision), continue: next },
      items: structuredClone(found.slice(0, limit)),
    };
  }

  async *pieces(request: KubeRequest): AsyncGenerator<Buffer> {
    yield Buffer.from(JSON.stringify(await this.request(request)));
  }

  async *lines(request: Parameters<KubeClient['lines']>[0]): AsyncGenerator {
    const query = request.query ?? {};
    this.asked.push({ ...request, verb: 'watch', query });
    await this.#admit('watch', request);
    const from = Number(query['resourceVersion']);
    if (from < this.#compacted) throw statusError(410, 'too old resource version');
    if (this.tellsOpened) request.opened?.();

    const watch: Watch = { path: request.path, query, queue: [], wake: () => undefined };
    if (!this.deaf) for (const change of this.#history) if (change.revision > from) tell(watch, change);
    this.#watches.add(watch);
    const aborted = () => push(watch, new KubeError('aborted', 'cut by us'));
    request.signal?.addEventListener('abort', aborted);
    const ends = this.#after(Number(query['timeoutSeconds']) * 1_000, () => push(watch, null));
    let minute: Subscription = this.#everyMinute(watch);
    try {
      for (;;) {
        const silence = this.#after(request.inactivity, () => push(watch, new KubeError('timeout', 'no line came')));
        while (watch.queue.length === 0) await new Promise<void>((resolve) => (watch.wake = resolve));
        silence.unsubscribe();
        const line = watch.queue.shift();
        if (line === null) return;
        if (line instanceof KubeError) throw line;
        minute.unsubscribe();
        minute = this.#everyMinute(watch);
        yield structuredClone(line);
      }
    } finally {
      request.signal?.removeEventListener('abort', aborted);
      ends.unsubscribe();
      minute.unsubscribe();
      this.#watches.delete(watch);
    }
  }

  async #admit(verb: Verb, request: KubeRequest): Promise<void> {
    const aborted = new Promise<never>((_, reject) => {
      const cut = () => reject(new KubeError('aborted', 'cut by us'));
      if (request.signal?.aborted) cut();
      request.signal?.addEventListener('abort', cut, { once: true });
    });
    // Where something else is the answer, nobody waits for this.
    aborted.catch(() => undefined);
    if (this.latency > 0) {
      const answered = firstValueFrom(this.#clock.wakeAt(this.#clock.now() + this.latency));
      await Promise.race([answered, aborted]);
    }
    const refusal = this.refusals.get(request.path) ?? this.refuse(request.query ?? {});
    if (refusal !== undefined) throw refusal;
    const fault = this.faults[verb].shift();
    if (fault === null) await aborted;
    if (fault instanceof KubeError) throw fault;
    await Promise.resolve();
    if (request.signal?.aborted) await aborted;
  }

  #everyMinute(watch: Watch): Subscription {
    return this.#after(60_000, () => {
      if (!this.deaf) push(watch, bookmarkOf(this.#revision));
    });
  }

  #after(length: number, act: () => void): Subscription {
    return this.#clock.wakeAt(this.#clock.now() + length).subscribe(act);
  }

  #held(path: string): Map<string, SeedObject> {
    const held = this.#objects.get(path) ?? new Map<string, SeedObject>();
    this.#objects.set(path, held);
    return held;
  }

  #publish(change: Change): void {
    this.#history.push(change);
    if (!this.deaf) for (const watch of this.#watches) tell(watch, change);
  }
}

export function statusError(status: number, message: string, retryAfter?: number): KubeError {
  return new KubeError('status', message, { status, retryAfter });
}

/** An ERROR event, as the API server sends it within a watch that has been opened. */
export function errorLine(code: number, message: string): unknown {
  return { type: 'ERROR', object: { kind: 'Status', status: 'Failure', code, message } };
}

function push(watch: Watch, line: unknown): void {
  watch.queue.push(line);
  watch.wake();
}

function bookmarkOf(revision: number): unknown {
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(revision) } } };
}

/** As the API server does: an object that a selector no longer picks is shown as deleted. */
function tell(watch: Watch, { path, object, before, isGone }: Change): void {
  if (watch.path !== path) return;
  const was = before !== undefined && selects(watch.query, before);
  const is = !isGone && selects(watch.query, object);
  if (was || is) push(watch, { type: !is ? 'DELETED' : was ? 'MODIFIED' : 'ADDED', object });
}

function selects(query: Query, { metadata }: SeedObject): boolean {
  const { fieldSelector, labelSelector: labels = '' } = query;
  if (fieldSelector !== undefined && fieldSelector !== `metadata.name=${metadata.name}`) return false;
  return labelSelector(labels)(metadata.labels ?? {});
}
