import { expect, test } from 'vitest';
import { recordedFiles, replay } from '@dwd/testing/journal-driver.ts';
import { onTwoPaths, pathOutage } from '@dwd/testing/recorded-nights.ts';

const story = await pathOutage();

const files = (limits = {}) => recordedFiles(story, limits);

test('4.9 9.6 L3 a journal of two paths comes out as it was recorded, from its beginning and from any later file', async () => {
  const all = await files({ fileBytes: 20_000 });
  expect(all.length).toBeGreaterThan(3);
  for (const from of all.keys()) {
    const { code, lines } = await replay(all.slice(from));
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 0,
      last: 'Every event that was replayed came out as recorded.',
    });
  }
});

test('4.9 9.6 it shows each verdict until it is often enough, why each path failed, and folds the rest', async () => {
  const { lines } = await replay(await files());
  // The outage is summed up below the events.
  const told = lines.slice(0, lines.indexOf('1 outage:')).filter((line) => /path/.test(line));
  expect(told.map((line) => line.replace(/^\S+Z {2}\S+ {2}|^ {4}/, ''))).toEqual([
    'probe 1: the external path answered',
    'connected: the external path answers',
    'probe 4: the internal path failed, unreachable: the shoot is down',
    'probe 4: the external path failed, unreachable: the shoot is down',
    'probe 6: the internal path failed, unreachable: the shoot is down',
    'the internal path has failed 3 times in a row; nothing new is scaled, and after each failure the shoot is left alone for 30.0 s, until the path answers',
    'probe 8: the external path answered',
    'connected: the external path answers',
    'probe 14: the external path failed, unreachable: the shoot is down',
    'probe 14: the internal path answered',
    'cut off: the external path failed 1 time of the 3 in a row that it takes (unreachable), first 0.0 s ago',
    'probe 15: the internal path answered',
    'cut off: the external path failed 2 times of the 3 in a row that it takes (unreachable), first 3.3 s ago',
    'probe 16: the internal path answered',
    'cut off: the external path failed 3 times in a row (unreachable), first 6.7 s ago',
    'the first scale-down is commanded, 6.7 s after the external path was first found broken',
    'everything is scaled down, 7.1 s after the external path was first found broken, 11.4 s before the first node could have been marked',
    'probe 37: the external path answered',
    'connected: the external path answers',
  ]);
});

test('4.9 9.6 an outage is summed up with how often the external path failed, and why', async () => {
  const { lines } = await replay(await files());
  const at = lines.indexOf('1 outage:');
  expect(lines.slice(at + 1, at + 3)).toEqual([
    '  1970-01-01T00:19:50.000Z  shoot--sim--one  outage, grave',
    expect.stringMatching(
      /^ {6}cut off: from 00:19:50\.0 on the external path failed 3 times in a row \(the shoot is down\), while the internal one answered; decided 6\.7 s later; .* were at 0 after 7\.1 s, 11\.4 s before a node could be marked; /,
    ),
  ]);
  const json = JSON.parse((await replay(['--json', ...(await files())])).lines.at(-1)!) as {
    summary: { outages: unknown[] };
  };
  expect(json.summary.outages).toMatchObject([
    { external: { count: 3, of: 3 }, reason: 'unreachable', decidedAfterMs: 6_674 },
  ]);
});

test('4.9 9.6 a long outage adds no line for each probe', async () => {
  const turns = await onTwoPaths(async (guarded) => {
    guarded.world.loadBalancer = 'down';
    await guarded.pass(600_000);
  });
  const { lines } = await replay(await recordedFiles(turns));
  expect(lines.filter((line) => line.includes('path failed')).length).toBeLessThan(8);
});
