import { writesAtOnce, type Dependant, type DependantKey } from 'dependency-watchdog/domain/prober/dependant.ts';
import { dueChange, hasArrived } from 'dependency-watchdog/domain/prober/due-change.ts';
import type { ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { PresentResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { shootWakeAt, type ShootOutcome, type ShootSnapshot } from 'dependency-watchdog/machines/kinds.ts';
import type { ShootCommands, ShootEvent, ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { auditPaths, firstPathAccount, type PathAccount } from './path-laws.ts';
import { auditSaid, type StillSaid } from './said-laws.ts';
import { writtenOn } from './shoot-driver.ts';
import { comesBack, isLeftAlone, levelsBefore } from './store-laws.ts';

/** What no snapshot holds, and the laws need, from turn to turn. */
export type ShootAccount = Readonly<{
  /** The wake that is pending. */
  alarm: Instant | undefined;
  /** The write sent last for each dependant. */
  sent: Readonly<Record<DependantKey, ShootCommands['scale']>>;
  /** What this flow must finish before a higher level may begin (S4), as views and notes alone show it. */
  owed: readonly DependantKey[];
  /** What this flow wrote, or was being written when it began: it has to arrive. What another hand puts right has not (6.1, 6.10). */
  written: readonly DependantKey[];
  /** What this way waits for no longer, since its time is over: on the way down at least a second since it was first asked for, on the way up when that was said (6.1). */
  late: readonly DependantKey[];
  /** When this way first asked for what is owed, or would have, but for its back-off. */
  askedAt: Readonly<Record<DependantKey, Instant>>;
  stillSaid: StillSaid;
  paths: PathAccount;
}>;

export const firstShootAccount: ShootAccount = {
  alarm: undefined,
  sent: {},
  owed: [],
  written: [],
  late: [],
  askedAt: {},
  stillSaid: [],
  paths: firstPathAccount,
};

type Plain = Pick<ShootSnapshot, 'value' | 'context'>;
type Turn = Readonly<{ before: Plain; event: ShootEvent; after: Plain }> & Pick<ShootOutcome, 'commands' | 'notes'>;

/** So long a level is waited for at least, however near a mark is (6.1). */
const leastLevelTime: Millis = 1_000;

/** What may be the last answer of a probe. */
const answers: readonly ShootEvent['type'][] = [
  'probe.answered',
  'candidates.answered',
  'path.answered',
  'cluster.answered',
];

/** The account after a turn, and the laws (SPEC 10) that the turn broke, each in words. The walk and the histories share this. */
export function auditShoot(
  before: ShootAccount,
  turn: Turn,
  config: ProberConfig,
): Readonly<{ account: ShootAccount; broken: readonly string[] }> {
  const { event } = turn;
  const rung = event.type === 'woken' && before.alarm !== undefined && event.at >= before.alarm;
  const flowing = owedAfter(before, turn, config);
  const paths = auditPaths(before.paths, turn, config);
  const said = auditSaid(before.stillSaid, turn);
  const account = obeyed(
    {
      ...before,
      alarm: rung ? undefined : before.alarm,
      ...flowing,
      stillSaid: said.still,
      paths: paths.account,
    },
    turn,
  );
  const broken = [...lawsBroken(before, turn, account, config), ...said.broken, ...paths.broken];
  return { account, broken };
}

/** How the commands of a turn change the account, its first turn included. */
export function obeyed(account: ShootAccount, { commands }: Pick<Turn, 'commands'>): ShootAccount {
  let { alarm } = account;
  const sent = { ...account.sent };
  for (const { type, params } of commands) {
    if (type === 'wake') alarm = params.at;
    if (type === 'scale') sent[params.key] = params;
  }
  return { ...account, alarm, sent };
}

/** The laws that one write broke, as it was sent or as it was carried out. */
export function lawsBrokenByWrite(
  key: DependantKey,
  before: PresentResource,
  after: PresentResource,
): readonly string[] {
  // There is one way to 0 without the mark: removing it from a resource that others took over (6.7).
  if (before.ignored) return isLeftAlone(before, after) ? [] : [`S2 an ignored one is left alone: ${key}`];
  return comesBack(after) ? [] : [`S5 no 0 without a mark and a record: ${key}`];
}

/**
 * What the flow still owes, as seen from outside. A verdict makes everything owed that is due then, for as long as it is due, and a write
 * makes its dependant owed. It is paid when it has arrived, when it is missing or ignored and that counts, or when a note said that it timed out.
 */
function owedAfter(
  account: ShootAccount,
  { before, event: { at }, after, commands, notes }: Turn,
  config: ProberConfig,
): Pick<ShootAccount, 'owed' | 'written' | 'late' | 'askedAt'> {
  const { flow, known } = after.context;
  if (flow === null) return { owed: [], written: [], late: [], askedAt: {} };
  // One that does not count yet, or points the other way, makes nothing due.
  const { count } = after.context.streak;
  const judged = notes.some(
    (note) =>
      note.kind === 'verdict' &&
      (flow.aim === 'down' ? note.verdict === 'cutOff' : note.verdict !== 'cutOff' && count >= config.successThreshold),
  );
  const { flow: flowBefore } = before.context;
  const turned = flowBefore === null || (flowBefore.aim === 'down') !== (flow.aim === 'down');
  const writes = commands.flatMap(({ type, params }) => (type === 'scale' ? [params.key] : []));
  const inherited = config.dependants.flatMap(({ key }) => (before.context.known[key]?.writing == null ? [] : [key]));
  const written = [...new Set([...(turned ? inherited : account.written), ...writes])];
  const said = notes.flatMap((note) => (note.kind === 'stepTimedOut' ? [note.key] : []));
  const askedBefore: ShootAccount['askedAt'] = turned ? {} : account.askedAt;
  const asks = commands.flatMap(({ type, params }) => (type === 'scale' || type === 'read' ? [params.key] : []));
  // What was under way when it began counts as asked by it.
  const underWay = config.dependants.flatMap(({ key }) =>
    turned && (known[key]?.reading ?? known[key]?.writing ?? null) !== null ? [key] : [],
  );
  const isDue = ({ key, ref }: Dependant) => {
    const view = known[key]?.view ?? null;
    return view !== null && dueChange(view, flow.aim, writesAtOnce(ref)) !== undefined;
  };
  // A back-off holds up no level (6.1).
  const backingOff = config.dependants.filter(
    (one) => judged && isDue(one) && (known[one.key]?.tries?.againAt ?? 0) > at,
  );
  const askedAt: ShootAccount['askedAt'] = {
    ...Object.fromEntries([...asks, ...underWay, ...backingOff.map(({ key }) => key)].map((key) => [key, at])),
    ...askedBefore,
  };
  const isOver = ([, since]: [string, Instant]) => flow.aim === 'down' && at - since >= leastLevelTime;
  const over = Object.entries(askedAt).filter(isOver);
  // Its level is over, and the next one begins, even if it is written then (6.1).
  const lateBefore = turned || flow.aim === 'down' ? [] : account.late;
  const late = [...new Set([...over.map(([key]) => key), ...said, ...lateBefore])];
  const owedBefore = turned ? [] : account.owed;
  const owed = config.dependants.flatMap((dependant) => {
    const { key, optional } = dependant;
    const view = known[key]?.view ?? null;
    const due = isDue(dependant);
    const isOwed =
      writes.includes(key) || (judged && due) || (owedBefore.includes(key) && (due || written.includes(key)));
    if (!isOwed || late.includes(key) || view === null) return [];
    if (!view.found) return optional || flow.aim === 'down' ? [] : [key];
    // The way up narrowed to ours meanwhile: what another hand put to 0 is not waited for (SPEC 3.5).
    if (flow.aim === 'upOurs' && view.replicas === 0 && !view.marked) return [];
    // It runs, and whatever else is written is undone each time: nothing waits for it (SPEC 6.1).
    if (flow.aim !== 'down' && known[key]?.tries?.undone === true && hasArrived(view, flow.aim)) return [];
    // Nobody can say whether a dependant followed that may not be read (SPEC 6.8).
    const untold = flow.aim === 'down' && known[key]?.refusal !== null;
    return view.ignored || (!due && (untold || hasArrived(view, flow.aim))) ? [] : [key];
  });
  const isDone = ([key]: [string, Instant]) => {
    const { view, writing } = known[key]!;
    return writing === null && view?.found === true && hasArrived(view, flow.aim);
  };
  return { owed, written, late, askedAt: Object.fromEntries(Object.entries(askedAt).filter((one) => !isDone(one))) };
}

function lawsBroken(
  { sent }: ShootAccount,
  { before, event, after, commands, notes }: Turn,
  account: ShootAccount,
  config: ProberConfig,
): readonly string[] {
  const broken: string[] = [];
  const check = (law: string, holds: boolean) => {
    if (!holds) broken.push(law);
  };
  const { shield: state } = after.value;
  const scales = commands.flatMap((command) => (command.type === 'scale' ? [command.params] : []));
  const answered = answers.includes(event.type);
  const verdict = notes.find((note): note is ShootNote & { kind: 'verdict' } => note.kind === 'verdict');
  const moved = before.value.shield !== state;

  check(
    'S1 scaling begins with an answered probe',
    answered || !moved || state === 'idle' || state === 'probing' || state === 'scaledDown',
  );
  check('S1 nothing is written outside of a flow', answered || before.context.flow !== null || scales.length === 0);
  check('S1 a verdict comes with an answer', verdict === undefined || answered);
  check('S3 nothing is written for a shoot that rests', state !== 'idle' || scales.length === 0);
  if (state === 'idle' && moved)
    for (const { key } of config.dependants) {
      const { writing } = before.context.known[key]!;
      const withdrawn = commands.some(({ type, params }) => type === 'withdraw' && params.number === writing);
      check(`S3 what waits is taken back: ${key}`, writing === null || withdrawn);
    }
  check(
    'S7 fewer than two never lead down',
    verdict?.verdict !== 'cutOff' || verdict.external !== undefined || verdict.candidates >= 2,
  );
  const aim = after.context.flow?.aim;
  check('S7 too few raise ours only', verdict?.verdict !== 'tooFew' || aim !== 'upAll');
  check(
    '3.5 once the stream of Clusters is out, a way up goes on with ours only',
    event.type !== 'cluster.watched' || event.live || aim !== 'upAll',
  );
  check('5.3 a connected shoot is not about to fail', verdict?.verdict !== 'connected' || state !== 'leaseFailed');
  check('S7 down begins with a cut-off', !moved || state !== 'scalingDown' || verdict?.verdict === 'cutOff');
  check('4.6 a probe has a next one', after.value.probe === 'off' || account.alarm !== undefined);

  for (const { key, seen, change } of scales) {
    const written = writtenOn(seen, change);
    broken.push(...lawsBrokenByWrite(key, seen, written));
    const side = (after.context.flow?.aim ?? 'down') === 'down' ? 'scaleDown' : 'scaleUp';
    const lower = levelsBefore(config.dependants, dependantOf(config, key), side);
    const first = lower.filter((one) => account.owed.includes(one.key));
    check(
      `S4 ${first.map((one) => one.key).join()} before ${key}`,
      first.length === 0 || (seen.ignored && isLeftAlone(seen, written)),
    );
    check(
      `S7 too few raise ours only: ${key}`,
      verdict?.verdict !== 'tooFew' ||
        (change.replicas !== 0 && change.mark !== true && seen.marked) ||
        // It lost its mark to what changed our own write on its way (6.8).
        before.context.known[key]?.tries?.undone === true,
    );
    const free = before.context.known[key]?.writing === null || event.type === 'scale.answered';
    check(`6.6 one write at a time: ${key}`, free);
    check(
      `6.6 each write has a number of its own: ${key}`,
      sent[key] === undefined || sent[key].number < after.context.known[key]!.writing!,
    );
  }

  // It reads nothing but value and context.
  const asked = shootWakeAt(after as ShootSnapshot);
  check(
    'wake: what the machine waits for is commanded',
    asked === undefined || (account.alarm !== undefined && account.alarm <= asked),
  );
  check(
    'wake: a wake comes to something',
    event.type !== 'woken' || asked === undefined || asked > event.at || after.value.probe !== before.value.probe,
  );
  return broken;
}

function dependantOf(config: ProberConfig, key: DependantKey): Dependant {
  return config.dependants.find((one) => one.key === key)!;
}
