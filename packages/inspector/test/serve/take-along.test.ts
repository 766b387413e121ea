import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine } from 'xstate';
import { expect, test } from 'vitest';
import { carriedAnswer } from '../../page/client/carried.ts';
import { oneFilePage } from '../../serve/one-file-page.ts';
import type { Carried, Turns } from '../../wire/wire.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { replay, asShoot } from '@dwd/testing/journal-driver.ts';
import { emptyDir, historyOf, inspected, recordedHistory } from './inspected.ts';

const story = await meltdown();
const one = 'shoot--dev--one';
const night = asShoot(story, one);

test('9.18 a part of a machine’s turns is a journal that replay and inspect open', async () => {
  const { url } = await inspected(await recordedHistory(night));
  const [from, until] = [night[40]!.at, night[80]!.at];
  const answer = await fetch(`${url}/shoots/${one}/journal?from=${from}&until=${until}`);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="dwd-${one}.jsonl"`);
  const dir = emptyDir();
  const file = join(dir, 'dwd-slice.jsonl');
  writeFileSync(file, await answer.text());
  const wanted = night.filter(({ at }) => at >= from && at <= until).length;
  const again = await historyOf(dir);
  expect(again.about()).toMatchObject({
    turns: wanted,
    replayed: { checked: wanted, withoutBeginning: 0, differences: [] },
    problems: [],
    runs: [{ program: 'dependency-watchdog prober' }],
  });
  expect((await replay([file])).code).toBe(0);
});

test.each([
  [`/shoots/${one}/journal?until=1`, 404, `no event of ${one} is recorded then`],
  [`/shoots/${one}/journal?most=7`, 413, '7 events or more: give a shorter time'],
  ['/shoots/nobody/journal', 404, 'no event of nobody is recorded then'],
])('9.18 %s is answered with %i', async (path, status, says) => {
  const { url } = await inspected(await recordedHistory(night));
  const answer = await fetch(`${url}${path}`);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(says)]);
});

const asset = (body: string) => ({ contentType: '', body: Buffer.from(body), gzipped: Buffer.alloc(0) });
const page = {
  html: asset(
    '<html><head><link rel="stylesheet" href="/page.css" /><script type="module" src="/page.js"></script></head><body></body></html>',
  ),
  script: asset('say("</script>$&")'),
  style: asset('a{}'),
};

test('9.18 a page in one file brings all answers along, loads nothing and runs only its own script', async () => {
  const history = await recordedHistory(asShoot(story, 'shoot--</script><script>alert(1)'));
  const text = await oneFilePage(history, page);
  expect(text).not.toMatch(/href=|src=/);
  expect(text.match(/<script/g)).toHaveLength(2);
  expect(text).toContain(String.raw`say("\x3c/script>$&")`);
  expect(text).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:/);
  const [, json = ''] = /id="carried">([^<]*)</.exec(text) ?? [];
  const carried = JSON.parse(json) as Carried;
  expect(carried['/about']).toEqual(history.about());
  expect(Object.keys(carried)).toHaveLength(5);
  const turns = (query = '') => carriedAnswer(carried, `${Object.keys(carried)[4]}${query}`) as Turns;
  expect(turns('?most=3').turns).toHaveLength(story.length);
  expect(turns(`?until=${story[9]!.at - 1}`)).toMatchObject({ earlier: false, later: true });
  expect(turns(`?until=${story[9]!.at - 1}`).turns.length).toBeLessThan(10);
  expect(() => carriedAnswer(carried, '/shoots/no/turns')).toThrow('404 this page holds nothing of /shoots/no/turns');
});

test('9.18 a page that would be too long is refused, with what makes it shorter', async () => {
  await expect(oneFilePage(await recordedHistory(night), page, 2 * 1_024)).rejects.toThrow(
    /the page would have more than 0 MiB; --since, --until and --shoot choose a part of it/,
  );
});

test('9.18 the chart is served as XState has it, and for Mermaid', async () => {
  const { url } = await inspected(await recordedHistory(night));
  const config = (await (await fetch(`${url}/charts/shoot.json`)).json()) as Parameters<typeof createMachine>[0];
  expect(Object.keys(createMachine(config).states)).toEqual(['probe', 'shield']);
  const text = await (await fetch(`${url}/charts/weeder.mmd`)).text();
  expect(text).toMatch(/^stateDiagram-v2\n {2}\[\*\] --> down\n/);
  expect(text).toMatch(/^ {2}down --> recovering: slices\.changed/m);
  expect(await (await fetch(`${url}/charts/shoot.mmd`)).text()).toContain('shield_probing --> shield_leaseFailed');
});
