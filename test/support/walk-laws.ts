import { writesAtOnce, type Dependant, type DependantKey } from '../../src/domain/prober/dependant.ts';
import { dueChange, hasArrived, readRecord } from '../../src/domain/prober/due-change.ts';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { scaleStep } from '../../src/domain/prober/scale-step.ts';
import type { ShootNote, ShootEvent } from '../../src/machines/shoot-language.ts';
import { shootWakeAt, type ShootOutcome } from '../../src/machines/kinds.ts';
import { writtenOn } from './shoot-desk.ts';
import type { Place } from './walk-place.ts';

/**
 * What the flow still owes, as seen from outside: a verdict makes everything that is due then owed, a write what it
 * touches; it is paid when it has got there, is missing or ignored where that counts, or was said to have timed out.
 */
export function owedAfter(
  place: Place,
  { snapshot, commands, notes }: ShootOutcome,
  config: ProberConfig,
): Pick<Place, 'owed' | 'late'> {
  const { flow, known } = snapshot.context;
  if (flow === null) return { owed: [], late: [] };
  const judged = notes.some(({ kind }) => kind === 'verdict');
  const turned =
    place.snapshot.context.flow === null || (place.snapshot.context.flow.aim === 'down') !== (flow.aim === 'down');
  const written = new Set(commands.flatMap(({ type, params }) => (type === 'scale' ? [params.key] : [])));
  const said = notes.flatMap((note) => (note.kind === 'stepTimedOut' ? [note.key] : []));
  // On the way up it is owed again with what is written next.
  const late = [...new Set([...(turned || flow.aim !== 'down' ? [] : place.late), ...said])];
  const before = turned ? [] : place.owed;
  const owed = config.dependants.flatMap((dependant) => {
    const { key, ref, optional } = dependant;
    const view = known[key]?.view ?? null;
    const due = view !== null && dueChange(view, flow.aim, writesAtOnce(ref)) !== undefined;
    const isOwed = before.includes(key) || written.has(key) || (judged && due);
    if (!isOwed || late.includes(key) || view === null) return [];
    if (!view.found) return optional || flow.aim === 'down' ? [] : [key];
    // Of what may not be read nobody can say whether it followed (SPEC 6.8).
    const untold = flow.aim === 'down' && known[key]?.refusal !== null;
    return view.ignored || (!due && (untold || hasArrived(view, flow.aim))) ? [] : [key];
  });
  return { owed, late };
}

/** The laws (SPEC 10) that one turn broke, each in words; and that what the machine waits for is commanded. */
export function lawsBroken(
  { snapshot: before, sent }: Place,
  event: ShootEvent,
  { snapshot: after, state, commands, notes }: ShootOutcome,
  place: Omit<Place, 'broken'>,
  config: ProberConfig,
): readonly string[] {
  const broken: string[] = [];
  const check = (law: string, holds: boolean) => {
    if (!holds) broken.push(law);
  };
  const from = before.value.shield;
  const scales = commands.flatMap((command) => (command.type === 'scale' ? [command.params] : []));
  const answered = event.type === 'probe.answered' || event.type === 'candidates.answered';
  const verdict = notes.find((note): note is ShootNote & { kind: 'verdict' } => note.kind === 'verdict');
  const moved = from !== state;

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
  check('S7 fewer than two never lead down', verdict?.verdict !== 'cutOff' || verdict.candidates >= 2);
  check('S7 down begins with a cut-off', !moved || state !== 'scalingDown' || verdict?.verdict === 'cutOff');
  check('4.6 a probe has a next one', after.value.probe === 'off' || place.alarm !== undefined);

  for (const { key, seen, change } of scales) {
    const { level } = scaleStep(dependantOf(config, key), after.context.flow?.aim ?? 'down');
    const written = writtenOn(seen, change);
    const unmark = seen.ignored && Object.keys(change).join() === 'mark' && change.mark === false;
    check(`S2 an ignored one is left alone: ${key}`, !seen.ignored || unmark);
    const lower = (one: Dependant) => scaleStep(one, after.context.flow?.aim ?? 'down').level < level;
    const first = config.dependants.filter(lower).filter((one) => place.owed.includes(one.key));
    check(`S4 ${first.map((one) => one.key).join()} before ${key}`, unmark || first.length === 0);
    const guarded = written.replicas > 0 || (written.marked && readRecord(written.record) !== undefined);
    check(`S5 no 0 without a mark and a record: ${key}`, seen.ignored || guarded || seen.replicas === 0);
    check(
      `S7 too few raise ours only: ${key}`,
      verdict?.verdict !== 'tooFew' || (change.replicas !== 0 && change.mark !== true && seen.marked),
    );
    const free = before.context.known[key]?.writing === null || event.type === 'scale.answered';
    check(`6.6 one write at a time: ${key}`, free);
    check(
      `6.6 each write has a number of its own: ${key}`,
      sent[key] === undefined || sent[key].number < after.context.known[key]!.writing!,
    );
  }

  const asked = shootWakeAt(after);
  check(
    'wake: what the machine waits for is commanded',
    asked === undefined || (place.alarm !== undefined && place.alarm <= asked),
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
