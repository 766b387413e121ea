import { expect, test } from 'vitest';
import type { Happening } from '../../src/adapters/episodes/course.ts';
import { coursesOf, kindEpisodes } from '../../src/adapters/episodes/episode-courses.ts';
import { nextOutage, type ShootOutage } from '../../src/adapters/episodes/shoot-outages.ts';
import type { ShootTurn, Turn } from '../../src/effects/turn.ts';
import { recordedFiles, replay } from './journal-driver.ts';
import { meltdown } from './story.ts';
import { recovery } from './weeder-story.ts';

const story = await meltdown();

const nobody = { leases: () => undefined, external: () => undefined };

/** The outages that the turns of one shoot tell. */
function outagesOf(turns: readonly ShootTurn[]): readonly ShootOutage[] {
  const over: ShootOutage[] = [];
  let open: readonly ShootOutage[] = [];
  for (const turn of turns) {
    open = nextOutage(open, turn, 'run', nobody);
    over.push(...open.filter(({ endedAt }) => endedAt !== null));
    open = open.filter(({ endedAt }) => endedAt === null);
  }
  return [...over, ...open];
}

/** What the summary of a replay says of them. */
function summedUp(kind: 'outage' | 'recovery', turns: readonly Turn[]): readonly Happening[] {
  const courses = coursesOf(kindEpisodes, { foldWithin: 0 });
  for (const turn of turns) courses.take(turn, 'run');
  return courses.happenings().filter((one) => one.kind === kind);
}

const outageLines = (turns: readonly Turn[]) => summedUp('outage', turns)[0]!.summary!();
const find = (to: ShootTurn['to']) => story.findIndex((turn) => turn.to === to && turn.from !== to);

test('9.6 an outage is summed up: who was cut off, when everything was down and back, and who was scaled', () => {
  const [outage, ...others] = outagesOf(story);
  expect(others).toEqual([]);
  const verdict = story
    .flatMap(({ notes }) => notes)
    .find((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
  expect(outage).toMatchObject({
    shoot: 'shoot--sim--one',
    cutOffAt: verdict?.kind === 'verdict' && verdict.crossedAt,
    leases: { expired: 3, candidates: 5 },
    decidedAt: story[find('scalingDown')]!.at,
    downAt: story[find('scaledDown')]!.at,
    healedAt: story[find('scalingUp')]!.at,
    endedBy: null,
  });
  expect(outage!.backAt).toBe(outage!.endedAt);
  const paths = Map.groupBy(outage!.scaled, ({ key }) => key);
  expect([...paths.values()].map((writes) => [writes[0]!.from, ...writes.map(({ to }) => to)])).toEqual(
    [...paths].map(([, [first]]) => [first!.from, 0, first!.from]),
  );
  const [title, down, replicas, healed, ...rest] = outageLines(story);
  expect(title).toMatch(
    /^shoot--sim--one, cut off at \S+Z: 3 of 5 leases expired \(node-1 silent for 3\d\.\d s, .*\)$/,
  );
  expect(down).toMatch(
    /^ {2}scale-down decided \d+\.\d s after that; everything down after \d+\.\d s, \d+\.\d s before the first node would be marked$/,
  );
  expect(replicas).toMatch(/^ {2}replicas: .*kube-controller-manager \d → 0 → \d/);
  expect(healed).toMatch(/^ {2}found healed at \S+Z; everything was back \S+( s)? later$/);
  expect(rest).toEqual([]);
});

test('9.6 an outage that goes on when the journal ends says so', () => {
  const begun = story.slice(0, find('scaledDown') + 1);
  expect(outagesOf(begun)).toMatchObject([{ healedAt: null, backAt: null, endedAt: null }]);
  expect(outageLines(begun).at(-1)).toBe('  it still goes on at the end of the journal');
});

test('9.6 a journal that begins in the middle of an outage tells of the rest', () => {
  const rest = story.slice(find('scalingUp'));
  expect(outagesOf(rest)).toMatchObject([{ cutOffAt: null, decidedAt: null, backAt: expect.any(Number) }]);
  expect(outageLines(rest).slice(0, 2)).toEqual([
    'shoot--sim--one, cut off before this journal begins',
    '  how it was scaled down is not in this journal',
  ]);
});

const weeding = await recovery();

test('9.6 a recovery is summed up: how long the service was down, and what was deleted', () => {
  const recoveries = summedUp('recovery', weeding);
  const data = recoveries.map(({ episode }) => episode().data) as { deleted: unknown[] }[];
  const deletions = weeding.flatMap(({ event }) => (event.type === 'deletion.answered' ? [event] : []));
  expect(data[0]).toMatchObject({
    service: 'shoot--sim--one/kube-apiserver',
    downForMs: 60_000,
    relapses: 1,
    failedDeletions: deletions.filter(({ answer }) => answer.outcome === 'failed').length,
  });
  expect(data.flatMap(({ deleted }) => deleted)).toHaveLength(
    deletions.filter(({ answer }) => answer.outcome === 'deleted').length,
  );
  const lines = recoveries[0]!.summary!();
  expect(lines[0]).toMatch(/^shoot--sim--one\/kube-apiserver, back at \S+Z, after 60\.0 s$/);
  expect(lines[1]).toMatch(/^ {2}\d+ pods deleted: kcm after \d+\.\d s, .* …$/);
  expect(lines).toContain('  it went down again 1 time within its window');
  expect(lines.at(-1)).toMatch(/^ {2}window closed at \S+Z; (no pod|\d+ pods?) left in CrashLoopBackOff$/);
});

test('9.6 replay sums up at its end, for people and for programs alike', async () => {
  const files = await recordedFiles(story);
  const text = await replay(files);
  const at = text.lines.indexOf('1 outage:');
  expect(text.lines[at + 1]).toMatch(/^ {2}shoot--sim--one, cut off at/);
  const json = JSON.parse((await replay(['--json', ...files])).lines.at(-1)!) as Record<string, never>;
  const [outage] = outagesOf(story);
  expect(json).toMatchObject({
    summary: {
      outages: [
        {
          shoot: 'shoot--sim--one',
          cutOffAt: new Date(outage!.cutOffAt!).toISOString(),
          expired: 3,
          candidates: 5,
          decidedAfterMs: outage!.decidedAt! - outage!.cutOffAt!,
          downAfterMs: outage!.downAt! - outage!.cutOffAt!,
          marginMs: outage!.firstMarkAt! - outage!.downAt!,
          backAfterMs: outage!.backAt! - outage!.healedAt!,
        },
      ],
      recoveries: [],
    },
  });
});
