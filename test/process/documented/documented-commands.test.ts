import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkCommand, ourWords, players } from '../../../hack/commands/check-command.ts';
import { documentedCommands } from '../../../hack/commands/documented-commands.ts';
import { shellWords } from '../../../hack/commands/shell-words.ts';
import { pageStage, playLine, situationOf, type PageStage, type Situation } from './page-stage.ts';

// What the pages tell an operator to type is typed here, in the situation that the page is about.

const documented = documentedCommands(join(import.meta.dirname, '../../..')).filter(
  ({ text }) => checkCommand(text).player === players.ours,
);

const stages = new Map<Situation, Promise<PageStage>>();
function stageOf(situation: Situation): Promise<PageStage> {
  const stage = stages.get(situation) ?? pageStage(situation);
  stages.set(situation, stage);
  return stage;
}

afterAll(async () => {
  for (const stage of stages.values()) await (await stage).end();
});

/** What runs until it is ended has then said this. */
const lasting: Readonly<Record<string, RegExp>> = {
  prober: /"state changed"|"leadership"/,
  weeder: /the first lists of the seed are in/,
  inspect: /http:\/\/127/,
  '--watch': /SHOOT/,
  '-w': /SHOOT/,
  events: /"event":/,
};
const shows: Readonly<Record<string, RegExp>> = { status: /^SHOOT|"shoots"/m, simulate: /^It took .* simulated s/m };
const quiet = ['metrics', 'health', 'inspector'].map((what) => ` --${what}-bind-addr=0`).join('');

/** The line as a shell gets it: what `kubectl exec` would run is run here. */
function playable(text: string): string {
  const [, inPod] = /^kubectl .* exec .*? -- (.*)$/.exec(text) ?? [];
  const line = inPod ?? text;
  return /\b(?:prober|weeder) --/.test(line) ? `${line}${quiet}` : line;
}

const each = documented.map(({ page, heading, line, text }) => ({
  name: `${page}:${line}: ${text}`,
  text,
  situation: situationOf(page, heading),
}));

test.each(each)('1.1 $name', async ({ text, situation }) => {
  const stage = await stageOf(situation);
  const line = playable(stage.fill(text));
  const words =
    shellWords(line)
      .programs.map(ourWords)
      .find((ours) => ours !== undefined) ?? [];
  const until = [...words, ...line.split(/[/?"]/)].flatMap((word) => lasting[word] ?? [])[0];
  const { code, stdout, stderr } = await playLine(stage, line, until);
  // What found something ends with 1, and has shown it. A story does, too, where this machine is too busy for its clock.
  const isShown = code === 1 && (shows[words[0] ?? '']?.test(stdout) ?? false);
  expect(isShown ? 0 : (code ?? 0), `${line}\n${stdout.slice(-2_000)}\n${stderr}`).toBe(0);
  // A filter may leave nothing.
  expect(/>|jq/.test(line) || `${stdout}${stderr}` !== '').toBe(true);
});

test('1.1 there are such commands on the pages that an operator reads', () => {
  const pages = new Set(documented.map(({ page }) => page));
  expect([...pages]).toEqual(
    expect.arrayContaining(['docs/operations.md', 'docs/install.md', 'docs/runbooks.md', 'docs/status.md']),
  );
});
