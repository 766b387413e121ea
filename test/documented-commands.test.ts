import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkCommand, players } from '../hack/commands/check-command.ts';
import { commandsOf, documentedCommands } from '../hack/commands/documented-commands.ts';

const documented = documentedCommands(join(import.meta.dirname, '..'));

test('what pages tell their readers to type can be read by the program that it is for', () => {
  expect(documented.length).toBeGreaterThan(120);
  const wrong = documented.flatMap(({ page, line, text }) =>
    checkCommand(text).problems.map((problem) => `${page}:${line}: ${text}: ${problem}`),
  );
  expect(wrong).toEqual([]);
});

describe('a wrong command is seen', () => {
  test.each([
    ['kubectl -n garden get leases --output-format=x', 'kubectl get has no flag --output-format'],
    ['kubectl -n garden frobnicate x', 'no verb of kubectl'],
    [
      'kubectl -n garden logs deployment/dependency-watchdog-probr',
      'nothing of ours is called dependency-watchdog-probr',
    ],
    ['kubectl get pods | tr a b', 'nothing tries tr'],
    ['helm upgrade x deploy/chart/dependency-watchdog --set image.tagg=NEW', 'the chart has no value image.tagg'],
    ['helm install x deploy/charts/dependency-watchdog', 'there is no deploy/charts/dependency-watchdog'],
    ['npm run simulat -- --keep', 'there is no script simulat'],
    ['node packages/lab/bench/outage.ts --calmness 30s', 'packages/lab/bench/outage.ts has no flag --calmness'],
    ['dependency-watchdog inspect', 'PATH… is missing'],
    [
      'kubectl -n garden exec deployment/dependency-watchdog-prober -- dependency-watchdog status --no-header',
      'unknown flag --no-header; did you mean --no-headers?',
    ],
    ['npx node src/main.ts replay --outage night.jsonl', 'unknown flag --outage; did you mean --outages?'],
    ['dependency-watchdog stauts', 'there is no command stauts'],
  ])('%s', (text, problem) => {
    expect(checkCommand(text).problems.join('\n')).toContain(problem);
  });
});

test('a page is read by its blocks and spans, with what continues a line and without comments', () => {
  const page = [
    '# A page',
    'Say `npm run check` or `dependency-watchdog`, which is none, or `kubectl get pods | wc -l`.',
    '```',
    '$ curl -s $L/shoots |',
    "    jq -r '.shoots # all'   # each",
    'dependency-watchdog replay \\',
    '  night.jsonl',
    'an output of npm run check',
    '```',
    '## A section',
    '`helm template x`',
  ].join('\n');
  expect(commandsOf('p.md', page).map(({ line, heading, text }) => [line, heading, text])).toEqual([
    [2, 'A page', 'npm run check'],
    [2, 'A page', 'kubectl get pods | wc -l'],
    [4, 'A page', "curl -s $L/shoots | jq -r '.shoots # all'"],
    [6, 'A page', 'dependency-watchdog replay  night.jsonl'],
    [11, 'A section', 'helm template x'],
  ]);
});

test('each command has its test', () => {
  const by = Map.groupBy(documented, ({ text }) => checkCommand(text).player);
  expect([...by.keys()].toSorted()).toEqual(Object.values(players).toSorted());
});
