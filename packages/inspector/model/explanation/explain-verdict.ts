import { seconds, counted } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { crossingOf } from 'dependency-watchdog/machines/candidate-look.ts';
import type { ShootLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { leasePolicy, type Answered, type ShootContext } from 'dependency-watchdog/machines/shoot-context.ts';
import { leaseAges, leftOutWordsOf } from '../judged-leases.ts';
import { fact, instantFact, namesWords, percent, shortened, type Fact, type JudgedLease } from './explanation.ts';
import { probeDueAt } from 'dependency-watchdog/machines/probe-plan.ts';
import { shortName } from 'dependency-watchdog/adapters/record/words/write-words.ts';
import { scaleStep, type KnownDependant, type Step } from 'dependency-watchdog/domain/prober/scale-step.ts';

type Event = ShootLanguage['Event'];

/** A shoot may have ten thousand; the longest silent come first. */
const mostLeases = 100;

/** The leases of the verdict that a turn reached, one by one: which count, and why not (SPEC 5.1, 5.2). */
export function judgedLeases(
  context: Answered,
  event: Event,
): Readonly<{ leases: readonly JudgedLease[]; leftOut: number }> {
  const ages = leaseAges(context);
  const excluded = new Set(context.seen.nonCandidates);
  // Only the turn of a look itself tells why a node was left out; the machine keeps no more than its name.
  const whyNot = event.type === 'candidates.answered' ? leftOutWordsOf(event, context) : () => undefined;
  // Where none is expired, and nothing was looked at, all count.
  const withoutLook = event.type === 'probe.answered' && !ages.some(({ expired }) => expired);
  const leases = ages.slice(0, mostLeases).map(({ node, silent, expired }): JudgedLease => {
    const left = excluded.has(node) && !withoutLook;
    const because = left
      ? (whyNot(node) ?? 'left out by the last look')
      : silent === null
        ? 'no readable renewTime'
        : '';
    return { node: shortened(node), silent, expired, counts: because === '', because };
  });
  return { leases, leftOut: Math.max(0, ages.length - mostLeases) };
}

/** How the verdict was reached, beside its leases: by which clock, by which look, and when it may change (SPEC 4.6, 5.1, 5.4). */
export function judgementFacts(context: Answered, event: Event): readonly Fact[] {
  const { seen, config, outage } = context;
  const { at } = event;
  const policy = leasePolicy(context);
  const { askedAt, lookedAt, clockAhead } = seen;
  const crossing = crossingOf(context, askedAt);
  const withoutLease = event.type === 'candidates.answered' ? nodesWithoutLease(event, context) : undefined;
  return [
    instantFact('leases asked for', askedAt, at),
    ...(clockAhead === 0
      ? []
      : [fact('the server’s clock', `${seconds(Math.abs(clockAhead))} ${clockAhead > 0 ? 'ahead' : 'behind'}`)]),
    fact('judged by', `a grace of ${seconds(policy.grace)}, a fraction of ${percent(policy.failureFraction)}`),
    event.type === 'candidates.answered'
      ? fact('nodes and Machines', 'asked for in this probe')
      : lookedAt === null
        ? fact('nodes and Machines', 'not needed: they could not change the outcome')
        : instantFact('nodes and Machines', lookedAt, at),
    ...(withoutLease === undefined ? [] : [fact('nodes without a lease', namesWords(withoutLease))]),
    ...(outage === null ? [] : [instantFact('first node would be marked', outage.firstMarkAt, at)]),
    ...(crossing === undefined ? [] : [instantFact('could be cut off', crossing, at)]),
    nextProbeFact(context, at),
    fact('thresholds', `${config.failureThreshold} to go down, ${config.successThreshold} to go up`),
  ];
}

export function nextProbeFact(context: ShootContext, at: Instant): Fact {
  return instantFact('next probe', probeDueAt(context), at);
}

function nodesWithoutLease(
  event: Extract<Event, { type: 'candidates.answered' }>,
  { seen }: Answered,
): readonly string[] {
  const leased = new Set(seen.leases.map(({ node }) => node));
  return event.nodes.filter(({ name }) => !leased.has(name)).map(({ name }) => name);
}

/** Where each dependant is on its way down or up (SPEC 6.1). */
export function flowFacts({ flow, config, known }: ShootContext, now: Instant): readonly Fact[] {
  if (flow === null) return [fact('on the way', 'nothing')];
  const steps = config.dependants.map((one) => {
    const step = flow.steps[one.key];
    const late = flow.late.includes(one.key) ? ', late' : '';
    const words = step === undefined ? 'not begun' : stepWords(step, known[one.key], now);
    return fact(shortName(one.key), `${words}${late} (level ${scaleStep(one, flow.aim).level})`);
  });
  return [fact('on the way', `${flow.aim === 'down' ? 'down' : 'up'}, at level ${flow.level}`), ...steps];
}

function stepWords(step: Step, known: KnownDependant | undefined, now: Instant): string {
  const failures = known?.tries?.failures ?? 0;
  switch (step.is) {
    case 'pending':
      return 'waits for its level';
    case 'delayed':
      return `delayed for ${seconds(Math.max(0, step.until - now))} more`;
    case 'asking':
      return `${underWay(known)}${failures === 0 ? '' : `, after ${counted(failures, 'failure')}`}`;
    case 'backingOff':
      return `failed ${counted(failures, 'time')}, again in ${seconds(Math.max(0, step.until - now))}`;
    case 'settling':
      return 'written, its replicas have to follow';
    case 'done':
      return 'done';
    case 'stuck':
      return 'stuck until the next connected verdict';
  }
}

function underWay(known: KnownDependant | undefined): string {
  if (known?.writing != null) return `write ${known.writing} is under way`;
  return known?.reading == null ? 'about to be asked' : `read ${known.reading.number} is under way`;
}
