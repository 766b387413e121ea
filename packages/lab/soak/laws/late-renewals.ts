import type { ServedDate } from 'dependency-watchdog/domain/prober/node-lease.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import type { Ears } from '../observation.ts';
import type { Scene, Shoot } from '../scene.ts';

/** The lease of one node, as a process was shown it, on the world's clock. */
type Shown = Readonly<{
  renewTime: Instant;
  at: Instant;
  /** Its kubelet's clock may be behind by so much: no answer has shown a renewal sooner after it was written. */
  closest: Millis;
  /** This renewal may seem younger by so much than it is. */
  lag: Millis;
}>;

/** Two renewals in a row are written so far apart; what does not fit is waited for so long after it was shown (5.1). */
const apart: Millis = 9_500;
const awaited: Millis = 12_000;
/** When a lease expires, at Gardener's grace. */
const expiresAfter: Millis = 30_000;
/** What is known of a clock decays by so much (5.1). */
const decay = 0.01;

/**
 * By how much renewals that came late may seem younger to a process than they are, by all that it can know (5.1): each came after the last answer without it, and its kubelet's
 * clock is known as well as the answer tells that came soonest after a renewal.
 */
export class LateRenewals {
  readonly #scene: Scene;
  /** By process and shoot, when the last answer was asked for, and what it showed, by node. */
  readonly #answers = new Map<string, Readonly<{ askedAt: Instant; shown: ReadonlyMap<string, Shown> }>>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  shootTurn({ at, process, turn: { subject, event } }: Parameters<NonNullable<Ears['shootTurn']>>[0]): void {
    const key = `${process} ${subject}`;
    if (event.type === 'started') this.#answers.delete(key);
    const shoot = this.#scene.seed.shoots.find(({ name }) => name === subject);
    if (event.type !== 'probe.answered' || shoot === undefined) return;
    const before = this.#answers.get(key);
    const shown = new Map<string, Shown>();
    for (const { node, renewedAt: renewTime } of event.leases)
      if (renewTime !== null)
        shown.set(
          node,
          shownNow({ renewTime, at }, shoot, before?.shown.get(node), before?.askedAt ?? at, behind(event.served)),
        );
    this.#answers.set(key, { askedAt: at - (event.at - event.askedAt), shown });
  }

  /** For the process that lives in a slot now. */
  lagOf(slot: string, shoot: Shoot['name'], node: string): Millis {
    const process = this.#scene.slots.find(({ name }) => name === slot)?.process?.name;
    return this.#answers.get(`${process} ${shoot}`)?.shown.get(node)?.lag ?? 0;
  }
}

/** How far the clock of the server that answered is behind the process'. */
function behind(served: ServedDate | undefined): Millis {
  return served === undefined ? 0 : served.receivedAt - served.date;
}

function shownNow(
  { renewTime, at }: Pick<Shown, 'renewTime' | 'at'>,
  { kubelets: { ahead } }: Shoot,
  earlier: Shown | undefined,
  askedBefore: Instant,
  served: Millis,
): Shown {
  if (earlier?.renewTime === renewTime) return earlier;
  const written = renewTime - ahead;
  const first = { renewTime, at, closest: at - written, lag: 0 };
  // Nobody knows which clock wrote a first one: one that is as far behind as the server's would be younger.
  if (earlier === undefined) return { ...first, lag: Math.max(0, Math.min(at - written, served)) };
  const known = earlier.closest + decay * (at - earlier.at);
  const lag = Math.max(0, askedBefore - written);
  if (lag <= known && renewTime - earlier.renewTime >= apart)
    return { ...first, closest: Math.min(known, first.closest), lag };
  const told = at + awaited - written - expiresAfter;
  return { ...first, closest: Math.max(known, first.closest), lag: Math.max(Math.min(lag, known), told) };
}
