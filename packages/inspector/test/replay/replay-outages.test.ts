import { expect, test } from 'vitest';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { followEpisodes } from '../../episodes/all-episodes.ts';
import { outagesOf, type ShootOutage } from 'dependency-watchdog/adapters/record/episodes/shoot-outages.ts';
import type { ShootTurn, Turn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { calmShoot, meltdown, recovery } from '@dwd/testing/recorded-nights.ts';

const story = await meltdown();

/** The outages that the turns of one shoot tell. */
function outagesIn(turns: readonly ShootTurn[]): readonly ShootOutage[] {
  const over: ShootOutage[] = [];
  let open: readonly ShootOutage[] = [];
  const nextOutage = outagesOf({ leases: () => undefined, external: () => undefined });
  for (const turn of turns) {
    open = nextOutage(open, turn, 'run');
    over.push(...open.filter(({ endedAt }) => endedAt !== null));
    open = open.filter(({ endedAt }) => endedAt === null);
  }
  return [...over, ...open];
}

/** What the summary of a replay says of them. */
function summedUp(kind: 'outage' | 'recovery', turns: readonly Turn[]): readonly Episode[] {
  const episodes = followEpisodes({ foldWithin: 0 });
  for (const turn of turns) episodes.take(turn, 'run');
  return episodes.episodes().filter((one) => one.kind === kind);
}

/** The sentence of the first one, and its lines. */
function said(kind: 'outage' | 'recovery', turns: readonly Turn[]): readonly string[] {
  const one = summedUp(kind, turns).at(-1)!;
  return [one.sentence, ...one.lines];
}

const find = (to: ShootTurn['to']) => story.findIndex((turn) => turn.to === to && turn.from !== to);

test('9.6 an outage is summed up: who was cut off, when everything was down and back, and who was scaled', () => {
  const [outage, ...others] = outagesIn(story);
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
    connectedAt: story[find('scalingUp')]!.at,
    endedBy: null,
  });
  expect(outage!.backAt).toBe(outage!.endedAt);
  const paths = Map.groupBy(outage!.scaled, ({ key }) => key);
  expect([...paths.values()].map((writes) => [writes[0]!.from, ...writes.map(({ to }) => to)])).toEqual(
    [...paths].map(([, [first]]) => [first!.from, 0, first!.from]),
  );
  const [sentence, leases, replicas, ...rest] = said('outage', story);
  expect(sentence).toMatch(
    /^cut off: 3 of 5 leases were 30 s old at \S+; decided \S+ s later; .* were at 0 after \S+ s, \S+ s before a node could be marked; connected again at \S+; everything was brought back \S+ s later$/,
  );
  expect(leases).toMatch(/^leases: 3 of 5 expired \(node-1 silent for 3\d\.\d s, .*\)$/);
  expect(replicas).toMatch(/^replicas: .*kube-controller-manager \d → 0 → \d/);
  expect(rest).toEqual([]);
});

test('9.6 an outage that goes on when the journal ends says so', () => {
  const begun = story.slice(0, find('scaledDown') + 1);
  expect(outagesIn(begun)).toMatchObject([{ connectedAt: null, backAt: null, endedAt: null }]);
  expect(said('outage', begun)[0]).toMatch(/; still cut off$/);
});

test('9.6 a journal that begins in the middle of an outage tells of the rest', () => {
  const rest = story.slice(find('scalingUp'));
  expect(outagesIn(rest)).toMatchObject([{ cutOffAt: null, decidedAt: null, backAt: expect.any(Number) }]);
  expect(said('outage', rest)[0]).toMatch(
    /^found scaled down by the watchdog, and nobody saw since when; connected again at /,
  );
});

const weeding = await recovery();

test('5.8 9.4 where nobody can tell any more, an outage is not over before something goes up', async () => {
  const guarded = new GuardedWorld(gardenerConfig);
  await guarded.pass(100_000);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  for (const node of guarded.world.nodes) node.machine = undefined;
  await guarded.pass(300_000);
  expect(outagesIn(guarded.turns)).toMatchObject([{ connectedAt: null, backAt: null }]);
  guarded.world.heal();
  await guarded.pass(120_000);
  expect(outagesIn(guarded.turns)).toMatchObject([{ connectedAt: expect.any(Number), backAt: expect.any(Number) }]);
});

test('9.6 a recovery is summed up: how long the service was down, and what was deleted', () => {
  const recoveries = summedUp('recovery', weeding);
  const data = recoveries.toReversed().map(({ data: of }) => of) as { deleted: unknown[] }[];
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
  const [sentence, deleted, failed] = said('recovery', weeding);
  expect(sentence).toMatch(
    /^\d+ pods were deleted, because they crash-looped after it was down for 60 s and back at \S+: the first \S+ s later, .*; it went down again while its window was open; /,
  );
  expect(deleted).toMatch(/^\d+ pods deleted: kcm after \d+\.\d s, .* …$/);
  expect(failed).toMatch(/^\d+ deletions? failed/);
});

test('9.6 replay sums up at its end, for people and for programs alike', async () => {
  const files = await recordedFiles(story);
  const text = await replay(files);
  const at = text.lines.indexOf('1 outage:');
  expect(text.lines[at + 1]).toMatch(/^ {2}\S+Z {2}shoot--sim--one {2}outage, grave$/);
  expect(text.lines[at + 2]).toMatch(/^ {6}cut off: 3 of 5 leases/);
  const json = JSON.parse((await replay(['--json', ...files])).lines.at(-1)!) as Record<string, never>;
  const [outage] = outagesIn(story);
  expect(json).toMatchObject({
    summary: {
      outages: [
        {
          shoot: 'shoot--sim--one',
          cutOffAt: new Date(outage!.cutOffAt!).toISOString(),
          expired: 3,
          candidates: 5,
          decidedAfterMs: outage!.decidedAt! - outage!.cutOffAt!,
          scaledDownAfterMs: outage!.downAt! - outage!.cutOffAt!,
          marginMs: outage!.firstMarkAt! - outage!.downAt!,
          broughtBackAfterMs: outage!.backAt! - outage!.connectedAt!,
        },
      ],
      recoveries: [],
    },
  });
});

test('9.19 before its figures a replay tells the whole in one sentence, with and without the events, and for programs', async () => {
  const files = await recordedFiles(story);
  const calm = await recordedFiles((await calmShoot()).turns);
  const sentence =
    /^1 outage, 1 shoot brought back, in time\. The closest was \S+ s before a node could be marked\. Nothing to do\.$/;
  for (const flags of [[], ['--outages']]) {
    const { lines } = await replay([...flags, ...files]);
    const at = lines.findIndex((line) => sentence.test(line));
    expect(lines.slice(at + 1, at + 3)).toEqual(['', expect.stringMatching(/^\d+ events of 1 shoot, /)]);
    expect((await replay([...flags, ...calm])).lines).toContainEqual(
      expect.stringMatching(/^Nothing happened\b.*\. Nothing to do\.$/),
    );
  }
  const json = JSON.parse((await replay(['--json', ...files])).lines.at(-1)!) as Record<string, never>;
  expect(json).toMatchObject({ summary: { headline: expect.stringMatching(sentence), toDo: [] } });
});
