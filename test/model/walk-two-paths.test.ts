import { describe, expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { stranded } from '../support/explore.ts';
import { dependant, deployment, twoPathConfig } from '../support/prober-configs.ts';
import { isShielded, isWell } from '../support/walk-goals.ts';
import type { Alphabet } from '../support/walk-moves.ts';
import { brokenSteps, walked } from '../support/walked.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1 });
/** Neither written at once nor watched. */
const thing = dependant('example.org/v1', 'Thing', 'thing', { down: 0, up: 1 });

const config: ProberConfig = {
  ...twoPathConfig,
  dependants: [kcm, mcm],
  failureThreshold: 2,
  backoffJitterFactor: 0,
};
const alone: ProberConfig = { ...config, dependants: [kcm] };
/** For walks in which the count does not matter. */
const atOnce: ProberConfig = { ...alone, failureThreshold: 1 };

// `places` as in walk.test.ts.
const walks: Record<string, Alphabet & { places: number }> = {
  'anything comes while paths are asked': { config: atOnce, interleaved: true, stops: 'hibernated', places: 950 },
  'answers are unclear': { config: alone, interleaved: true, unclear: true, places: 1_650 },
  'nobody tells of Clusters while paths are asked': {
    config: atOnce,
    interleaved: true,
    blind: true,
    places: 3_000,
  },
  'probes are unclear': { config: alone, unclear: true, places: 550 },
  'three failures and two answers are counted': {
    config: { ...alone, failureThreshold: 3, successThreshold: 2 },
    places: 190,
  },
  'there are two levels': { config, places: 125 },
  'probing stops and starts': { config: alone, stops: 'unreadable', places: 145 },
  'nobody tells of Clusters': { config: alone, blind: true, places: 290 },
  'writes and reads fail': { config, failing: [kcm], places: 410 },
  'others raise it': { config: alone, raised: [kcm], places: 240 },
  'there is no place for a probe': { config: alone, unclear: true, crowded: true, places: 580 },
  'one is written in two steps and never watched': { config: { ...config, dependants: [kcm, thing] }, places: 830 },
};

describe.each(Object.keys(walks))('where %s', (name) => {
  const { places: found, ...alphabet } = walks[name]!;
  const graph = walked(alphabet);

  test('S1 S2 S3 S4 S5 S7 4.9 6.6 no step breaks a law, and no wake is forgotten or in vain', () => {
    expect(brokenSteps(graph())).toEqual([]);
  });

  test('L1 4.9 from every place, paths that answer lead back to where everything runs', () => {
    const calm = stranded(graph(), ({ move: { when } }) => when === 'calm' || when === 'always', isWell);
    expect(calm.slice(0, 3)).toEqual([]);
  });

  test('L2 4.9 from every place, an external path that stays broken leads to where everything is down', () => {
    const storm = stranded(graph(), ({ move: { when } }) => when === 'storm' || when === 'always', isShielded);
    expect(storm.slice(0, 3)).toEqual([]);
  });

  test('4.9 the walk has been everywhere', () => {
    const places = [...graph().places.values()];
    expect(places.length).toBeGreaterThan(found);
    const { interleaved = false, blind = false } = alphabet;
    const probes = new Set<string>(places.map(({ snapshot }) => snapshot.value.probe));
    const asked = interleaved ? ['askingPaths', ...(blind ? ['readingCluster'] : [])] : [];
    expect([...probes].toSorted()).toEqual([...asked, 'off', 'resting'].toSorted());
    const shields = new Set<string>(places.map(({ snapshot }) => snapshot.value.shield));
    const counting = alphabet.config.failureThreshold > 1 ? ['leaseFailed'] : [];
    expect([...shields].toSorted()).toEqual(['idle', ...counting, 'probing', 'scaledDown', 'scalingDown', 'scalingUp']);
  });
});
