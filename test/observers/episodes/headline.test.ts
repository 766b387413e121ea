import { expect, test } from 'vitest';
import { alerts } from '../../../hack/monitoring/alerts/alerts.ts';
import type { Episode, EpisodeOdd } from '../../../src/adapters/record/episodes/episode.ts';
import { headlineOf, headlineText, ofLastDay, stepLines } from '../../../src/adapters/record/episodes/headline.ts';
import { runbookSteps } from '../../../src/adapters/record/episodes/runbook-steps.ts';

const back = ['cut off', 'decided', 'protected', 'connected again', 'brought back'];
const now = 10_000_000;

type Drawn = Partial<Pick<Episode, 'kind' | 'machine' | 'weight' | 'beganAt' | 'endedAt' | 'odds' | 'data'>> &
  Readonly<{ had?: readonly string[] }>;

function episode(
  subject: string,
  { had = back, kind = 'outage', machine = 'shoot', beganAt = 0, ...rest }: Drawn = {},
): Episode {
  return {
    kind,
    machine,
    subject,
    id: `${kind} ${subject} ${beganAt}`,
    beganAt,
    endedAt: beganAt + 300_000,
    weight: 'grave',
    sentence: '',
    lines: [],
    stages: had.map((name, index) => ({ name, at: beganAt + index, after: null, turn: null })),
    turn: { kind: machine, subject, run: 'a-run', seq: 1, at: beganAt },
    data: {},
    ...rest,
  };
}

const tooLate = ['cut off', 'decided', 'too late', 'connected again', 'brought back'];
const late = (by: number, why = ''): EpisodeOdd => ({ what: 'tooLate', words: `was ${by} s too late${why}`, by });

const nights: readonly Readonly<{
  name: string;
  those: readonly Episode[];
  tells: string;
  steps?: readonly string[];
}>[] = [
  { name: 'nothing', those: [], tells: 'Nothing happened. Nothing to do.' },
  {
    name: 'what is worth knowing, and no more',
    those: [episode('c', { kind: 'pause', weight: 'notable' })],
    tells: 'Nothing grave happened. Nothing to do.',
  },
  {
    name: 'outages, by their causes',
    those: [
      episode('a', { data: { marginMs: 9_100 } }),
      episode('b', { beganAt: 9_000, data: { marginMs: 5_100 } }),
      episode('c', { beganAt: 18_000 }),
      episode('a', { beganAt: 600_000 }),
    ],
    tells:
      '2 outages, 3 shoots brought back, all in time. The closest was 5.1 s before a node could be marked. Nothing to do.',
  },
  {
    name: 'the worst of many, and whom else it came to',
    those: [
      ...['a', 'b', 'c'].map((name, index) =>
        episode(name, { had: tooLate, weight: 'bad', odds: [late(index + 1, ': why')] }),
      ),
      episode('d', { odds: [{ what: 'raised', words: 'had kcm raised by kubectl', by: 0 }] }),
    ],
    tells:
      '1 outage, 4 shoots brought back, 1 in time; c (and 2 more) was 3 s too late: why; d had kcm raised by kubectl.',
    steps: [
      'c, b and a: In the shoot: `kubectl get nodes`, and on the seed its Machines: is one being replaced? (docs/runbooks.md#shootprotectedtoolate)',
      `d: ${runbookSteps.raised.step.replaceAll('NAMESPACE', 'd')} (docs/runbooks.md#shootnotprotected)`,
    ],
  },
  {
    name: 'what goes on, and for how long it may',
    those: [
      episode('a', { had: back.slice(0, 3), endedAt: null }),
      episode('b', { had: back.slice(0, 4), endedAt: null }),
      episode('c', { had: back.slice(0, 4), endedAt: null, beganAt: now - 60_000 }),
    ],
    tells: '2 outages, 1 shoot still cut off, 2 shoots on the way back, all in time.',
    steps: [
      `a: ${runbookSteps.cutOff.step} (docs/runbooks.md#shootcutoff)`,
      `b: ${runbookSteps.notBack.step.replaceAll('NAMESPACE', 'b')} (docs/runbooks.md#shootdoesnotcomeback)`,
    ],
  },
  {
    name: 'what else is grave, and nothing of what is notable',
    those: [
      episode('a', { kind: 'bug', weight: 'bad' }),
      episode('b', { kind: 'refusal', endedAt: null }),
      episode('c', { kind: 'pause', weight: 'notable' }),
      episode('n/etcd', { kind: 'recovery', machine: 'weeder', weight: 'notable', data: { deletedCount: 14 } }),
    ],
    tells:
      '1 service came back, 14 pods restarted; a met a bug of the watchdog; b is refused by the seed what it has to write.',
    steps: [
      `a: ${runbookSteps.bug.step} (docs/runbooks.md#watchdogunwell)`,
      `b: ${runbookSteps.notBack.step.replaceAll('NAMESPACE', 'b')} (docs/runbooks.md#shootdoesnotcomeback)`,
    ],
  },
  {
    name: 'what is not ready again',
    those: [episode('a', { odds: [{ what: 'notReady', words: 'came back with mcm not ready', by: 0 }] })],
    tells: '1 outage, 1 shoot brought back, in time; a came back with mcm not ready.',
    steps: [`a: ${runbookSteps.notBack.step.replaceAll('NAMESPACE', 'a')} (docs/runbooks.md#shootdoesnotcomeback)`],
  },
  {
    name: 'one outage alone',
    those: [episode('a', { data: { marginMs: 9_100 } })],
    tells:
      '1 outage, 1 shoot brought back, in time. The closest was 9.1 s before a node could be marked. Nothing to do.',
  },
  {
    name: 'what goes on as what is so, and what is over as what was',
    those: [
      episode('a', { kind: 'partial', endedAt: null }),
      episode('b', { kind: 'partial' }),
      episode('c', { kind: 'pause', endedAt: null }),
      episode('d', { kind: 'refusal', endedAt: null }),
      episode('e', { kind: 'unreachable', endedAt: null }),
    ],
    tells:
      'a is cut off in part; b was cut off in part; c is not watched, since its Cluster cannot be read; d is refused by the seed what it has to write; e does not answer.',
    steps: [
      `a: ${runbookSteps.partlyCutOff.step} (docs/runbooks.md#shootpartlycutoff)`,
      `c: ${runbookSteps.unreadable.step} (docs/runbooks.md#shootblind)`,
      `d: ${runbookSteps.notBack.step.replaceAll('NAMESPACE', 'd')} (docs/runbooks.md#shootdoesnotcomeback)`,
    ],
  },
  {
    name: 'a service that is down again, and one with a single pod left',
    those: [
      episode('n/api', { kind: 'recovery', machine: 'weeder', endedAt: null, data: { downAgainAt: 'x' } }),
      episode('n/etcd', { kind: 'recovery', machine: 'weeder', data: { deletedCount: 1, left: 1 } }),
    ],
    tells: '1 service came back, 1 pod restarted; n/api is down again; n/etcd was left with a pod that crash-loops.',
    steps: [`n/etcd: ${runbookSteps.weeding.step} (docs/runbooks.md#weederdoesnotwork)`],
  },
];

test.each(nights)('9.19 the headline tells of $name', ({ those, tells, steps = [] }) => {
  const headline = headlineOf(those, now);
  expect(headlineText(headline)).toBe(tells);
  expect(stepLines(headline)).toEqual(steps);
});

test('9.19 what went on in the last day is told of what runs on, and nothing older', () => {
  const later = 30 * 60 * 60_000;
  const [old, open] = [episode('old'), episode('open', { endedAt: null })];
  const young = episode('young', { beganAt: later - 60_000 });
  expect(ofLastDay([old, open, young], later)).toEqual([open, young]);
});

test('9.19 each step stands in its runbook', () => {
  for (const { step, alert: named } of Object.values(runbookSteps)) {
    const alert = alerts.find(({ name }) => name === named);
    expect([...(alert?.look ?? []), ...(alert?.act ?? [])].join('\n')).toContain(step);
  }
});
