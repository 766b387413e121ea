/**
 * How long somebody waits for the inspector's page, in a real browser, on a journal of many shoots: from an address, a click or a key to the
 * picture; and what the program that serves it, as the image starts it, takes of memory. Aims: a view 1 s after its address, the next turn within a
 * frame or two (50 ms) of the key, and at most 200 MiB.
 *
 *     node packages/lab/bench/page.ts [--shoots 1000] [--turns 100000] [--long 5000]
 *
 * `--long`: the turns of the one shoot that is opened.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { findProgram } from '../programs/find-program.ts';
import type { About } from '@dwd/inspector/wire/wire.ts';
import { longShoot, writeCrowdedNight } from '@dwd/testing/played-shoots.ts';
import { distributionOf } from './support/distribution.ts';
import { flags, say } from './support/flags.ts';
import { costOf } from './support/process-cost.ts';
import { ShippedProgram } from './support/shipped-program.ts';

const { shoots, turns, long } = flags({ shoots: 1_000, turns: 100_000, long: 5_000 });

using directory = mkdtempDisposableSync(join(tmpdir(), 'dwd-crowd-'));
const dir = directory.path;
await writeCrowdedNight(dir, { shoots, turns, long });
using shipped = await ShippedProgram.build();
const begun = performance.now();
const program = spawn(process.execPath, [...shipped.asImage.start, 'inspect', dir], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, ...shipped.asImage.env },
});
const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [string];
const origin = /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '';
say(`${turns} turns of ${shoots} shoots: read and replayed in ${Math.round(performance.now() - begun)} ms`);

const browser = await chromium.launch({
  executablePath: await findProgram('chromium-headless-shell'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  await opened(page, 'last night', '#/', '.night-view');
  await opened(page, 'the seed', '#/seed', '[role=row] a');
  say(`the seed, filtered by text: ${await followed(page, typed('shoot0001'), '[aria-rowcount="2"]')} ms`);
  await opened(page, `a shoot of ${long} turns`, `#/shoots/${longShoot}`, '[aria-label="One turn"]');

  const steps: number[] = [];
  for (let step = 0; step < 50; step += 1) steps.push(await stepped(page));
  const { median, worst } = distributionOf(steps);
  say(`from turn to turn by key: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`);
  // The reader stays until all turns are replayed.
  while (((await (await fetch(`${origin}/about`)).json()) as About).reading !== null) await pause(200);
  const most = (costOf(program.pid)?.mostResidentBytes ?? NaN) / 1_048_576;
  say(`the program with that reader: at most ${most.toFixed(0)} MiB resident`);
} finally {
  await browser.close();
  program.kill('SIGTERM');
  await once(program, 'exit');
}

/** A page that is opened anew, from its address to the picture; `sign`: what is drawn last. */
async function opened(page: Page, what: string, at: string, sign: string): Promise<void> {
  await page.goto('about:blank');
  const from = performance.now();
  await page.goto(`${origin}/${at}`);
  await followed(page, '', sign);
  say(`${what}, from its address: ${Math.round(performance.now() - from)} ms`);
}

/** Does something in the page, and waits until its sign was painted. In ms, by the page's own clock. */
async function followed(page: Page, action: string, sign: string): Promise<number> {
  const millis = await page.evaluate<number>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const from = performance.now();
    ${action};
    while (document.querySelector(${JSON.stringify(sign)}) === null) await frame();
    await frame();
    return performance.now() - from;
  })()`);
  return Math.round(millis);
}

/** As if somebody had typed it into the filter. */
function typed(text: string): string {
  return `const field = document.querySelector('[data-filter]');
    field.value = '${text}';
    field.dispatchEvent(new Event('input', { bubbles: true }))`;
}

/** One turn back, until its heading was painted. */
async function stepped(page: Page): Promise<number> {
  return await page.evaluate<number>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const heading = () => document.querySelector('[aria-label="One turn"] a').href;
    const before = heading();
    const from = performance.now();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    while (heading() === before) await frame();
    await frame();
    return performance.now() - from;
  })()`);
}
