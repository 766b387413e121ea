import { unjudgedWords } from '../../src/adapters/record/words/lease-words.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headlineOf } from '../../src/adapters/record/episodes/headline.ts';
import { instantText } from '../../src/adapters/words/plain-words.ts';
import { statusJson, type SeedStatus, type ShootStatus } from '../../src/commands/status/status-report.ts';
import { leaderLines } from '../../src/commands/status/leader-line.ts';
import { statusTable } from '../../src/commands/status/status-table.ts';
import { lineText } from '../../src/commands/terminal/painted-line.ts';
import type { ClusterView } from '../../src/domain/prober/cluster-view.ts';
import { withProberReport, type ProberReport } from '../../src/domain/prober/prober-report.ts';
import type { PresentResource, ResourceView } from '../../src/domain/prober/resource-view.ts';
import {
  judgeStanding,
  shootStates,
  whileNobodyLeads,
  worstFirst,
  type SeenDependant,
  type ShootStanding,
} from '../../src/domain/prober/standing.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { present, shielded } from '@dwd/testing/views.ts';

const at = 10_000_000;
const ourselves = 'dependency-watchdog-prober';

const zero = present({ replicas: 0, readyReplicas: 0 });
const single = (change: Partial<PresentResource> = {}) => present({ replicas: 1, readyReplicas: 1, ...change });

function seen(view: ResourceView): SeenDependant {
  return { read: true, view, writes: {} };
}

function down(record: string, seconds: number): SeenDependant {
  return { read: true, view: shielded({ record }), writes: { mark: { by: ourselves, at: at - seconds * 1_000 } } };
}

function raised(view: ResourceView, seconds: number): SeenDependant {
  return { read: true, view, writes: { replicas: { by: ourselves, at: at - seconds * 1_000 } } };
}

/** The dependants in the order of the configuration; what is not given is up. */
function standing(
  name: string,
  dependants: readonly (SeenDependant | undefined)[] = [],
  cluster: ClusterView | string = activeCluster,
): ShootStanding {
  return judgeStanding({
    shoot: `shoot--a--${name}`,
    cluster: typeof cluster === 'string' ? { readable: false, problem: cluster } : { readable: true, cluster },
    dependants: gardenerConfig.dependants.map((one, index) => [
      one,
      dependants[index] ?? seen(index === 0 ? present() : single()),
    ]),
  });
}

function told(shown: ShootStanding, by: ProberReport): ShootStatus {
  return { standing: withProberReport(shown, by), report: by };
}

const verdict = (expired: number, candidates = 5) =>
  ({ verdict: { kind: expired < 3 ? 'connected' : 'cutOff', expired, candidates, at } }) as const;

const byCluster: readonly ShootStatus[] = [
  standing('odd', [], 'spec.shoot.spec.provider.workers should be a list'),
  standing('other', [seen(zero)]),
  standing('marked', [undefined, seen(single({ marked: true }))]),
  standing('falling', [seen(present()), down('1', 0), down('1', 0)]),
  standing('dark', [down('2', 252), down('1', 252), down('1', 252)]),
  standing('partly', [seen(present()), seen(shielded({ record: '1' })), seen(shielded({ record: '1' }))]),
  standing('rising', [raised(present({ readyReplicas: 1 }), 20), down('1', 690), down('1', 690)]),
  standing('young', [undefined, undefined, seen({ found: false })], {
    ...activeCluster,
    lastOperation: { type: 'Create', state: 'Processing' },
  }),
  standing('asleep', [seen(zero), seen(zero), seen(zero)], { ...activeCluster, hibernationEnabled: true }),
  standing('calm'),
].map((one) => ({ standing: one }));

const byProber: readonly ShootStatus[] = [
  told(standing('cut'), { standing: 'cutOff', state: 'leaseFailed', ...verdict(4), nextAt: at + 1_000 }),
  told(standing('dark', [down('2', 252), down('1', 252), down('1', 252)]), {
    standing: 'scaledDown',
    state: 'scaledDown',
    ...verdict(5),
    nextAt: at,
  }),
  told(standing('lost', [down('2', 252), down('1', 252), down('1', 252)]), {
    standing: 'scaledDownNotAnswering',
    state: 'scaledDown',
    failing: 'version, timeout: no answer within 10 s',
    nextAt: at + 4_000,
  }),
  told(standing('mute'), {
    standing: 'notAnswering',
    state: 'probing',
    failing: 'version, unreachable: connection refused',
    nextAt: at + 2_000,
  }),
  told(standing('tiny'), {
    standing: 'tooFew',
    state: 'probing',
    verdict: { kind: 'tooFew', expired: 0, candidates: 1, at },
    nextAt: at + 9_000,
  }),
  told(standing('odd'), {
    standing: 'unjudged',
    state: 'probing',
    verdict: { kind: 'unjudged', expired: 0, candidates: 0, at },
    unjudged: unjudgedWords({ nodes: 5, leases: 0, untold: [{ because: 'unmanaged', nodes: 5 }] }),
    nextAt: at + 11_000,
  }),
  told(standing('calm'), { standing: 'watched', state: 'probing', ...verdict(0), nextAt: at + 12_000 }),
];

const external = (kind: 'cutOff' | 'connected', count: number, of: number) =>
  ({ verdict: { kind, external: { count, of }, at } }) as const;

const byPaths: readonly ShootStatus[] = [
  told(standing('cut'), { standing: 'cutOff', state: 'leaseFailed', ...external('cutOff', 2, 3), nextAt: at + 3_000 }),
  told(standing('dark', [down('2', 252), down('1', 252), down('1', 252)]), {
    standing: 'scaledDown',
    state: 'scaledDown',
    ...external('cutOff', 51, 3),
    nextAt: at,
  }),
  told(standing('mute'), {
    standing: 'notAnswering',
    state: 'probing',
    ...external('connected', 1, 1),
    failing: 'internal path, unreachable: connection refused',
    nextAt: at + 30_000,
  }),
  told(standing('calm'), {
    standing: 'watched',
    state: 'probing',
    ...external('connected', 240, 1),
    nextAt: at + 8_000,
  }),
];

const unled: readonly ShootStatus[] = [{ standing: whileNobodyLeads(standing('calm'), 'nobody is seen to lead') }];

const held = {
  is: 'led',
  holder: 'dwd-prober-5d9c_1f',
  renewedAt: at,
  endsAt: at,
  lease: 'garden/dwd-prober-leader-election',
} as const;
const noLease = { is: 'noLease', lease: held.lease } as const;

function table(shoots: readonly ShootStatus[], leader: SeedStatus['leader'] = held): string {
  const sorted = shoots.toSorted((one, other) => worstFirst(one.standing, other.standing));
  const { head, rows, below } = statusTable({ at, server: '', leader, shoots: sorted }, gardenerConfig.dependants, {
    wide: false,
    width: Infinity,
  });
  return [...head, ...rows.flat(), ...below].map((line) => lineText(line, Infinity, false)).join('\n');
}

const page = readFileSync(new URL('../../docs/status.md', import.meta.url), 'utf8');

test.each([
  ['of every state that the cluster tells', byCluster],
  ['with what only a prober knows', byProber],
  ['with what a prober of two paths knows', byPaths],
])('9.8 the sample on the page %s is what the program prints', (_, shoots) => {
  expect(page).toContain(table(shoots));
});

test('4.9 9.8 with two paths how often the external one failed stands where expired leases do, and a shoot that was not judged yet has neither', () => {
  const young = told(standing('young'), { standing: 'waiting', state: 'probing', nextAt: at + 5_000 });
  expect(table([...byPaths, young])).not.toContain('EXPIRED');
  expect(table([young, ...byPaths])).toMatch(/^shoot--a--young +watched .* - +in 5s/m);
  expect(table([young])).not.toMatch(/EXTERNAL|EXPIRED|NEXT/);
});

test('9.8 9.19 what happened in the last day stands last, and what to do, no wider than the terminal', () => {
  const turn = { kind: 'shoot', subject: 'shoot--a--dark', run: 'r', seq: 1, at } as const;
  const episode = {
    ...turn,
    kind: 'outage',
    machine: 'shoot',
    id: 'x',
    beganAt: at,
    endedAt: null,
    weight: 'grave',
    sentence: '',
    lines: [],
    stages: [],
    turn,
    data: {},
  } as const;
  const prober = { address: 'http://localhost:9645', headline: headlineOf([episode], at) };
  const status = { at, server: '', leader: held, prober, shoots: [] };
  const { below } = statusTable(status, gardenerConfig.dependants, { wide: false, width: 50 });
  const lines = below.map((line) => lineText(line, Infinity, false));
  expect(lines.slice(lines.indexOf('', 1) + 1)).toEqual([
    'In the last 24 hours: 1 outage, 1 shoot still cut',
    '  off.',
    'To do: shoot--a--dark: Repair the way from the',
    '  nodes to the API server. The rest happens by',
    '  itself. (docs/runbooks.md#shootcutoff)',
  ]);
  expect(statusJson(status)).toMatchObject({
    prober: {
      headline: '1 outage, 1 shoot still cut off.',
      toDo: [{ for: ['shoot--a--dark'], runbook: 'docs/runbooks.md#shootcutoff' }],
    },
  });
});

test('9.8 each instant of who leads is told in one form', () => {
  const { leader } = statusJson({ at, server: '', leader: held, shoots: [] }) as { leader: object };
  expect(leader).toMatchObject({ renewedAt: instantText(at), endsAt: instantText(at) });
});

test('9.8 the samples have every state', () => {
  const all = [...byCluster, ...byProber, ...byPaths, ...unled].map(({ standing: { state } }) => state);
  expect(new Set(all)).toEqual(new Set(shootStates));
});

test('9.8 the page shows what is printed after an uninstall', () => {
  const printed = [...leaderLines({ leader: noLease }, at), '', table(unled, noLease)].join('\n');
  expect(page).toContain(printed);
});

test('9.8 the page has every sentence about who leads', () => {
  const prober = { address: 'http://localhost:9645' };
  const seen: readonly Parameters<typeof leaderLines>[0][] = [
    { leader: held },
    { leader: { is: 'nobody', lease: held.lease } },
    { leader: { is: 'unknown', lease: held.lease, problem: 'get leases was answered 403 Forbidden' } },
    { leader: held, prober: { ...prober, lead: { leads: false, elects: true } } },
    { leader: noLease, prober: { ...prober, lead: { leads: true, elects: false } } },
    { leader: noLease, prober: { ...prober, lead: { leads: false, elects: false } } },
  ];
  const sentences = seen.map((one) => leaderLines(one, at).at(-1) ?? '');
  expect(sentences.filter((sentence) => !page.includes(`| ${sentence} |`))).toEqual([]);
});
