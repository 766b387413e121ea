import { writesAtOnce, type Dependant } from '../../src/domain/prober/dependant.ts';
import { isUndone, type Aim } from '../../src/domain/prober/due-change.ts';
import type { ResourceChange, ResourceView } from '../../src/domain/prober/resource-view.ts';
import {
  advanceFlow,
  beginFlow,
  flowWakeAt,
  isFinished,
  renewFlow,
  type ScaleFlow,
} from '../../src/domain/prober/scale-flow.ts';
import type { FlowAsk, KnownDependant, Reading, Step } from '../../src/domain/prober/scale-step.ts';
import { failed, seenAfter, sent } from '../../src/domain/prober/tries.ts';
import type { Instant, Millis } from '../../src/domain/time.ts';
import { knownAs } from '@dwd/testing/views.ts';

/** Plays one scale flow by hand: it notes what the flow asks for, and answers when the test says so. Its clock begins at 0. */
export class FlowDriver {
  at: Instant = 0;
  flow: ScaleFlow;
  firstMarkAt: Instant | undefined;
  readonly #asked: Record<string, ResourceChange> = {};
  readonly #dependants: readonly Dependant[];
  readonly #known: Record<string, KnownDependant> = {};
  #number = 0;

  constructor(aim: Aim, dependants: readonly Dependant[], views: readonly (ResourceView | null)[], live = true) {
    this.#dependants = dependants;
    for (const [index, { key, ref }] of dependants.entries())
      this.#known[key] = knownAs(views[index] ?? null, { live: live && writesAtOnce(ref) });
    this.flow = beginFlow(aim, this.#scope, 0);
  }

  get finished(): boolean {
    return isFinished(this.flow, this.#scope);
  }

  get wakeAt(): Instant | undefined {
    return flowWakeAt(this.flow, this.#scope);
  }

  stepOf({ key }: Dependant): Step['is'] | undefined {
    return this.flow.steps[key]?.is;
  }

  /** Everything that is possible now, after some time. Each request in words: `write NAME {…}`, `read NAME`, … */
  move(length: Millis = 0): readonly string[] {
    this.at += length;
    const { flow, asks } = advanceFlow(this.flow, this.#scope, this.at);
    this.flow = flow;
    return asks.map((ask) => this.#take(ask));
  }

  /** The next connected or cut-off verdict, then everything that is possible. */
  renew(aim: Aim): readonly string[] {
    this.flow = renewFlow(this.flow, aim, this.#scope);
    return this.move();
  }

  /** News from a watch. */
  sees({ key }: Dependant, view: ResourceView): readonly string[] {
    this.#learn(key, (one) => {
      const tries = one.writing === null && one.tries ? seenAfter(one.tries, view, this.at) : one.tries;
      return { ...one, view, outdated: false, tries };
    });
    return this.move();
  }

  /** The answer to a write, whether it shows what was asked or not. */
  written({ key }: Dependant, view: ResourceView): readonly string[] {
    const isUnmade = isUndone(this.#asked[key] ?? {}, view);
    this.#learn(key, ({ tries, ...one }) => ({
      ...one,
      view,
      outdated: false,
      writing: null,
      tries: isUnmade ? failed(tries, this.#direction, this.at, 'undone') : tries,
    }));
    return this.move();
  }

  read({ key }: Dependant, view: ResourceView): readonly string[] {
    this.#learn(key, (one) => ({ ...one, view, outdated: false, reading: null }));
    return this.move();
  }

  fails(dependant: Dependant, failure: 'read' | 'write' | 'conflict'): readonly string[] {
    const after = failure === 'read' ? { reading: null } : { writing: null };
    this.#learn(dependant.key, (one) =>
      one.view === null ? { ...one, ...after } : { ...one, ...after, outdated: failure !== 'read' },
    );
    this.#learn(dependant.key, (one) => ({ ...one, tries: failed(one.tries, this.#direction, this.at, failure) }));
    return this.move();
  }

  setLive({ key }: Dependant, live: boolean): void {
    this.#learn(key, (one) => ({ ...one, live }));
  }

  /** A read that is under way for another reason, such as a probe. */
  reads({ key }: Dependant): void {
    this.#learn(key, (one) => ({ ...one, reading: this.#reading() }));
  }

  #reading(): Reading {
    return { number: ++this.#number, bucket: 'urgent', overtaken: false };
  }

  get #scope() {
    const { firstMarkAt } = this;
    return {
      dependants: this.#dependants,
      known: this.#known,
      ...(firstMarkAt === undefined ? {} : { firstMarkAt }),
    };
  }

  get #direction() {
    return this.flow.aim === 'down' ? 'down' : 'up';
  }

  #learn(key: string, change: (known: KnownDependant) => KnownDependant): void {
    this.#known[key] = change(this.#known[key]!);
  }

  #take(ask: FlowAsk): string {
    const { key, ref } = ask.dependant;
    switch (ask.ask) {
      case 'write':
        this.#asked[key] = ask.change;
        this.#learn(key, (one) => ({
          ...one,
          writing: ++this.#number,
          tries: sent(one.tries, this.#direction, ask, this.at),
        }));
        return `write ${ref.name} ${JSON.stringify(ask.change)}`;
      case 'read':
        this.#learn(key, (one) => ({ ...one, reading: this.#reading() }));
        return `read ${ref.name}`;
      case 'sayTimedOut':
        return `${ref.name} not done in ${ask.timeout}`;
      case 'sayUnreadable':
        return `${ref.name} has the record ${JSON.stringify(ask.record)}`;
    }
  }
}
