import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { followEpisodes } from '../../episodes/all-episodes.ts';
import { leaderOf } from 'dependency-watchdog/adapters/record/episodes/leaders.ts';
import { leadEvents, leadsOf } from '../../episodes/led-runs.ts';
import { journal } from 'dependency-watchdog/adapters/record/journal/journal.ts';
import type { Tenure } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { temporaryFolder } from '@dwd/testing/temporary-folder.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { nightBegins, replay } from '@dwd/testing/journal-driver.ts';
import { turnLog } from 'dependency-watchdog/adapters/record/log/turn-log.ts';
import { heardLog, named } from '@dwd/testing/heard-io.ts';

type Played = Readonly<{ first: readonly ShootTurn[]; second: readonly ShootTurn[]; secondAt: number }>;

/** A process is cut short so long after the cut, and another one takes over 16 s later; the nodes are back so long before or after that. */
async function played(shortAfter: Millis, healsAfter: Millis): Promise<Played> {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: nightBegins });
  await guarded.pass(120_000);
  guarded.world.cutOff();
  const heals = (after: Millis) => (guarded.world.heal(), guarded.pass(after));
  if (healsAfter < shortAfter) {
    await guarded.pass(healsAfter);
    await heals(shortAfter - healsAfter);
  } else await guarded.pass(shortAfter);
  guarded.stop();
  const count = guarded.turns.length;
  await guarded.pass(16_000);
  const secondAt = guarded.clock.now();
  guarded.start(true);
  if (healsAfter >= shortAfter) {
    await guarded.pass(healsAfter);
    await heals(0);
  }
  await guarded.pass(180_000);
  guarded.stop();
  return { first: guarded.turns.slice(0, count), second: guarded.turns.slice(count), secondAt };
}

const podA = 'dependency-watchdog-prober-a';
const podB = 'dependency-watchdog-prober-b';

const firstLead: Tenure = { identity: `${podA}_1`, tookAt: nightBegins, how: 'free' };
const secondLead = ({ secondAt }: Played): Tenure => ({
  identity: `${podB}_2`,
  tookAt: secondAt,
  how: 'ranOut',
  from: `${podA}_1`,
});

/** The outages that the journals of both tell. */
function outagesOf(story: Played) {
  const episodes = followEpisodes({ foldWithin: 0 });
  const head = { program: 'dependency-watchdog prober', openedAt: nightBegins };
  episodes.hear({ ...head, run: '1', lead: firstLead });
  for (const turn of story.first) episodes.take(turn, '1');
  episodes.hear({ ...head, run: '2', lead: secondLead(story) });
  for (const turn of story.second) episodes.take(turn, '2');
  return episodes.episodes().filter(({ kind }) => kind === 'outage');
}

test('9.11 what was scaled down by one leader and brought back by the next is one outage, and says who did what', async () => {
  const story = await played(90_000, 30_000 + 90_000);
  const [outage, ...others] = outagesOf(story);
  expect(others).toEqual([]);
  expect(outage!.sentence).toMatch(
    /^cut off: 3 of 5 leases .*; .* were at 0 after .* before a node could be marked; connected again at [\d:.]+; everything was brought back \S+ s later by the prober dependency-watchdog-prober-b, \S+ after it took the lead at 02:03:46.0 from dependency-watchdog-prober-a, which had not renewed its Lease$/,
  );
  expect(outage!.stages.map(({ name }) => name)).toEqual([
    'cut off',
    'decided',
    'protected',
    'new leader',
    'connected again',
    'brought back',
  ]);
  expect(outage!.data['by']).toEqual({
    began: { run: '1', leader: `the prober ${podA}` },
    decided: { run: '1', leader: `the prober ${podA}` },
    scaledDown: { run: '1', leader: `the prober ${podA}` },
    broughtBack: { run: '2', leader: `the prober ${podB}` },
  });
  // A page puts another zone's times in their place.
  expect(outage!.stages.find(({ name }) => name === 'new leader')?.at).toBe(story.secondAt);
});

test('9.11 a leader that is lost on the way up leaves the rest to the next, and both are one outage', async () => {
  const story = await played(100_000, 90_000);
  expect(story.first.at(-1)!.to).toBe('scalingUp');
  const outages = outagesOf(story);
  expect(outages).toHaveLength(1);
  expect(outages[0]!.sentence).toMatch(
    /connected again at .* brought back .* by the prober dependency-watchdog-prober-b/,
  );
});

test('9.11 while it goes on, who leads now is said', async () => {
  const story = await played(90_000, 300_000);
  const [outage] = outagesOf({ ...story, second: story.second.slice(0, 30) });
  expect(outage!.sentence).toMatch(/; the prober dependency-watchdog-prober-b took the lead at .*; still cut off$/);
});

test('9.11 a leader that only finds something scaled down says whom it followed', async () => {
  const story = await played(90_000, 88_000);
  const [outage] = outagesOf({ ...story, first: [] });
  expect(outage!.sentence).toMatch(
    /^found scaled down by the watchdog, and nobody saw since when;.* by the prober dependency-watchdog-prober-b, .* from dependency-watchdog-prober-a/,
  );
});

test('9.11 one leader alone is not named in what it did', async () => {
  const story = await played(90_000, 120_000);
  const episodes = followEpisodes();
  const lead: Tenure = { ...firstLead, how: 'released', from: 'dependency-watchdog-prober-before_0' };
  episodes.hear({ run: '1', program: 'dependency-watchdog prober', openedAt: nightBegins, lead });
  for (const turn of story.first) episodes.take(turn, '1');
  expect(JSON.stringify(episodes.episodes())).not.toMatch(/dependency-watchdog-prober/);
});

const run = (lead: Tenure | undefined, name: string, at: number, lastAt?: number) => ({
  run: name,
  program: 'dependency-watchdog prober',
  openedAt: at,
  lead,
  ...(lastAt === undefined ? {} : { lastAt }),
});

test.each([
  [
    'found dead',
    [
      run({ identity: 'a_1', tookAt: 0, how: 'free' }, 'one', 0, 60_000),
      run({ identity: 'b_2', tookAt: 76_000, how: 'ranOut', from: 'a_1' }, 'two', 70_000),
    ],
    [
      'notable the prober a took the lead at 00:00:00.0',
      'grave the prober b took the lead at 00:01:16.0 from a, which had not renewed its Lease; nobody is recorded to have acted for 16 s',
    ],
  ],
  [
    'ended in good order',
    [
      run({ identity: 'a_1', tookAt: 0, how: 'free', ended: { at: 60_000, why: 'SIGTERM' } }, 'one', 0, 59_000),
      run({ identity: 'b_2', tookAt: 60_300, how: 'released' }, 'two', 50_000),
    ],
    [
      'notable the prober a took the lead at 00:00:00.0',
      'notable the prober a ended at 00:01:00.0 in good order (SIGTERM); it led for 60 s',
      'notable the prober b took the lead at 00:01:00.3 from a, which had given it back; nobody is recorded to have acted for 0.30 s',
    ],
  ],
  [
    'lost',
    [run({ identity: 'a_1', tookAt: 0, how: 'free', ended: { at: 60_000, why: 'the lead is lost' } }, 'one', 0)],
    [
      'notable the prober a took the lead at 00:00:00.0',
      'grave the prober a ended at 00:01:00.0, because the lead is lost; it led for 60 s',
    ],
  ],
  ['older journals of one process', [run(undefined, 'one', 0)], []],
  [
    'older journals of two processes',
    [run(undefined, 'one', 0, 60_000), run(undefined, 'two', 90_000)],
    ['notable a prober began at 00:01:30.0; nobody is recorded to have acted for 30 s'],
  ],
])('9.11 a change of leaders is an event of the night: %s', (_, runs, expected) => {
  expect(leadEvents(runs).map(({ weight, sentence }) => `${weight} ${sentence}`)).toEqual(expected);
});

test('9.11 of each leader it is known how long it led, and of the last one that it still does', () => {
  const runs = [
    run({ identity: 'a_1', tookAt: 0, how: 'free' }, 'one', 0, 60_000),
    run({ identity: 'b_2', tookAt: 76_000, how: 'ranOut', from: 'a_1' }, 'two', 70_000),
  ];
  expect(leadsOf(runs).map(({ leader, until }) => [leader.words, leader.tookAt, until])).toEqual([
    ['the prober a', 0, 60_000],
    ['the prober b', 76_000, null],
  ]);
});

test('9.11 the log names who brought a shoot back, where it took the lead in mid-outage', async () => {
  const story = await played(90_000, 120_000);
  const { log, lines } = heardLog();
  const lead = leaderOf(run(secondLead(story), '2', story.secondAt));
  const observe = turnLog(log, () => lead);
  for (const turn of story.second) observe(turn);
  expect(named(lines, 'outage over').map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      /everything was brought back \S+ s later by the prober dependency-watchdog-prober-b, \S+ after it took the lead at 02:03:46.0 from dependency-watchdog-prober-a, which had not renewed its Lease$/,
    ),
  ]);
  // What a process began and ended by itself names nobody.
  const alone = heardLog();
  const before = turnLog(alone.log, () => ({ ...lead, tookAt: nightBegins }));
  for (const turn of story.second) before(turn);
  expect(named(alone.lines, 'outage over')[0]!.msg).not.toMatch(/prober-b/);
});

/** Writes what a process has in a directory, with its lead. */
async function written(dir: string, turns: readonly ShootTurn[], lead: Tenure, processId: number, why?: string) {
  const clock = new VirtualClock(turns.at(-1)!.at);
  const made = journal({
    clock,
    dir,
    program: { role: 'prober', version: '0.1.0', processId, configuration: gardenerConfig },
    say: () => undefined,
    onDropped: () => undefined,
    onWriteFailed: () => undefined,
  });
  made.lead(lead);
  turns.forEach((turn, index) => made.observe({ ...turn, seq: index + 1 }));
  if (why !== undefined) made.leadEnded(why);
  await made.close(NEVER);
  // What memory keeps tells it, too.
  expect(Buffer.concat([...made.chapters()]).toString()).toContain(`"identity":"${lead.identity}"`);
}

test('9.11 two processes’ journals read together: replay tells one outage, and who led', async () => {
  const story = await played(90_000, 120_000);
  const [one, two] = [temporaryFolder(), temporaryFolder()];
  await written(one, story.first, firstLead, 7, 'the lead is lost');
  await written(two, story.second, secondLead(story), 8);
  const { out, code } = await replay(['--outages', one, two]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /the lead of the prober, grave\n {4}the prober dependency-watchdog-prober-a ended at .*, because the lead is lost/,
  );
  expect(out).toMatch(
    /the lead of the prober, grave\n {4}the prober dependency-watchdog-prober-b took the lead at .* from dependency-watchdog-prober-a/,
  );
  expect(out.match(/ outage, grave/g)).toHaveLength(1);
  expect(out).toMatch(/brought back .* by the prober dependency-watchdog-prober-b/);
  const told = await replay(['--outages', '--json', one, two]);
  const leads = told.lines
    .map((line) => JSON.parse(line) as { lead?: { kind: string; data: { role: string } } })
    .flatMap(({ lead }) => lead ?? []);
  expect(leads.map(({ kind }) => kind)).toEqual(['took', 'ended', 'took']);
  // Within a shoot's story only what falls into its outage.
  const ofShoot = await replay(['--outages', `--shoot=${story.first[0]!.subject}`, one, two]);
  expect(ofShoot.out).not.toContain(`${podA} took the lead`);
  expect(ofShoot.out).toContain(`${podB} took the lead`);
  // The last line of a file is no new journal.
  expect((await replay([one])).out.match(/journal opened/g)).toHaveLength(1);
  expect(readdirSync(one).map((name) => join(one, name))).toHaveLength(1);
});
