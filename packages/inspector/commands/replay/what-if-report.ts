import process from 'node:process';
import { clockWords, counted, instantText } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { lineText, piece, tableLines } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { nightAnswer, nightWords, type NightAnswer } from '../../model/imagined/night-answer.ts';
import { recordedInTime, type OutageBeside } from '../../model/imagined/outage-beside.ts';
import type { OutageCourse } from '../../model/imagined/outage-courses.ts';
import { recordedShoot, type RecordedShoot } from '../../model/imagined/recorded-shoot.ts';
import { stepsFor, whatIfShoot, type ShootAnswer } from '../../model/imagined/what-if-shoot.ts';
import type { ReplayReport } from './replay-report.ts';
import type { WhatIfQuestion } from './what-if-flag.ts';

/** So many steps of machines are played, a minute or two. */
const mostNightSteps = 4_000_000;

/** Some screenfuls; `--json` tells all. */
const mostTold = 200;

/** How often it says how far it is. */
const sayEvery: Millis = 2_000;

type Surroundings = Readonly<{
  json: boolean;
  /** Tells whoever waits. */
  say: (sentence: string) => void;
  now: () => Instant;
  only?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
  mostSteps?: number;
}>;

/** What another configuration would have made of the whole record, in place of its events (SPEC 9.12). */
export function whatIfReport(
  report: ReplayReport,
  { changes, written }: WhatIfQuestion,
  { json, say, now, only, since = -Infinity, until = Infinity, mostSteps = mostNightSteps }: Surroundings,
): ReplayReport {
  const shoots = new Map<string, RecordedShoot>();

  return {
    ...report,
    turn: (replayed) => (replayed.replayed.outcome === 'differs' ? report.turn(replayed) : []),
    taken(turn, run) {
      if (turn.kind !== 'shoot' || (only !== undefined && turn.subject !== only)) return;
      let recorded = shoots.get(turn.subject);
      if (recorded === undefined) shoots.set(turn.subject, (recorded = recordedShoot(turn.subject)));
      recorded.take({ ...turn, run });
    },
    end(summary) {
      const played = play();
      const answer = nightAnswer(played.map(within));
      const leftOut = [...shoots.keys()].slice(played.length);
      return json
        ? [...jsonLines(answer, leftOut, written), ...report.end(summary)]
        : [...textLines(answer, leftOut, written), '', ...report.end({ ...summary, episodes: [] })];
    },
  };

  function play(): readonly ShootAnswer[] {
    const answers: ShootAnswer[] = [];
    let [steps, saidAt] = [0, now()];
    for (const recorded of shoots.values()) {
      if (steps >= mostSteps) break;
      const most = Math.min(stepsFor(recorded.turns()), mostSteps - steps);
      const answer = whatIfShoot(recorded, { config: changes }, { mostSteps: most });
      answers.push(answer);
      steps += answer.steps;
      if (now() - saidAt < sayEvery) continue;
      saidAt = now();
      say(`${answers.length} of ${counted(shoots.size, 'shoot')} played`);
    }
    return answers;
  }

  function within(answer: ShootAnswer): ShootAnswer {
    if (!answer.ok) return answer;
    const outages = answer.outages.filter(({ beganAt, did, would }) => {
      const ended = Math.max(did?.endedAt ?? Infinity, would?.endedAt ?? -Infinity);
      return beganAt <= until && ended >= since;
    });
    return { ...answer, outages };
  }
}

function textLines(answer: NightAnswer, leftOut: readonly string[], written: readonly string[]): readonly string[] {
  const { outages, unsaid } = answer;
  const told = outages.slice(-mostTold);
  const rows = [
    ['SHOOT', 'CUT OFF', 'AS RECORDED', 'WHAT IF'],
    ...told.map((one) => [one.shoot, instantText(one.beganAt), recordedWords(one), one.sentence]),
  ];
  const cells = rows.map((row) => row.map((text) => piece(text)));
  const table = tableLines(cells, process.stdout.columns || Infinity).flat();
  const older = outages.length - told.length;
  return [
    '',
    ...(older === 0
      ? []
      : [`… ${counted(older, 'older one')}; --since, --until and --shoot narrow them down, --json tells all`]),
    ...(told.length === 0 ? [] : [...table.map((line) => lineText(line, Infinity, false)), '']),
    `${written.join(' ')}: ${nightWords(answer)}.`,
    ...[...unsaid].map(([because, shoots]) => `Of ${namesOf(shoots)} nothing is said: ${because.replace(/\.$/, '')}.`),
    ...(leftOut.length === 0
      ? []
      : [
          `${counted(leftOut.length, 'shoot')} not played, after ${answer.steps} steps; --shoot=NAMESPACE asks for one: ${namesOf(leftOut)}`,
        ]),
    'What is not recorded is assumed: a lease was renewed every 10 s between two probes, and dependants follow a write as they did then.',
  ];
}

/** Some names, and how many more. */
function namesOf(shoots: readonly string[]): string {
  const shown = shoots.slice(0, 5).join(', ');
  return shoots.length > 5 ? `${shown} and ${shoots.length - 5} more` : shown;
}

function recordedWords({ did }: OutageBeside): string {
  if (did === null || did.decidedAt === null) return 'not scaled down';
  return `scaled down ${clockWords(did.decidedAt)}${recordedInTime(did)}`;
}

function jsonLines(answer: NightAnswer, leftOut: readonly string[], written: readonly string[]): readonly string[] {
  const { outages, unsaid, counts, shoots, steps } = answer;
  const told = {
    changed: written,
    says: nightWords(answer),
    ...counts,
    shoots,
    steps,
    notSaid: [...unsaid].map(([because, those]) => ({ because, shoots: those })),
    notPlayed: leftOut,
  };
  return [...outages.map((one) => JSON.stringify({ whatIf: rowOf(one) })), JSON.stringify({ whatIfNight: told })];
}

function rowOf({ shoot, beganAt, did, would, fate, laterBy, margin, tooLate, marks, inexact, sentence }: OutageBeside) {
  return {
    shoot,
    beganAt: instantText(beganAt),
    fate,
    laterByMs: laterBy ?? undefined,
    marginMs: margin ?? undefined,
    tooLate,
    marks: marks === null ? undefined : { nodes: marks.nodes, firstAt: textOf(marks.firstAt) },
    ...(inexact ? { inexact } : {}),
    says: sentence,
    did: courseData(did),
    would: courseData(would),
  };
}

function courseData(course: OutageCourse | null) {
  if (course === null) return undefined;
  const { cutOffAt, decidedAt, downAt, firstMarkAt, connectedAt, backAt, endedAt } = course;
  return Object.fromEntries(
    Object.entries({ cutOffAt, decidedAt, downAt, firstMarkAt, connectedAt, backAt, endedAt }).map(([name, at]) => [
      name,
      textOf(at),
    ]),
  );
}

function textOf(at: Instant | null): string | undefined {
  return at === null ? undefined : instantText(at);
}
