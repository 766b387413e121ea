import { describe, expect, test } from 'vitest';
import type { Dependant } from '../../src/domain/prober/dependant.ts';
import { hasTwoPaths, type ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { stranded } from '../support/explore.ts';
import { dependant, deployment, gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import type { Alphabet } from '../support/walk-moves.ts';
import { isShielded, isWell, brokenSteps, walked } from '../support/walk.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 10_000 });
/** Neither written at once nor watched. */
const thing = dependant('example.org/v1', 'Thing', 'thing', { down: 0, up: 1 });

const config: ProberConfig = {
  ...gardenerConfig,
  dependants: [kcm, mcm],
  probeInterval: 15_000,
  backoffJitterFactor: 0,
};

const change = (one: Dependant, step: Partial<Dependant['scaleUp']>): Dependant => ({
  ...one,
  scaleUp: { ...one.scaleUp, ...step },
  scaleDown: { ...one.scaleDown, ...step },
});
/** Without a delay. */
const quick: ProberConfig = { ...config, dependants: [kcm, change(mcm, { initialDelay: 0 })] };
/** With one dependant, for walks in which the probe matters, or that are too far with two: no level waits long, so both are under way in most places (6.1). */
const alone: ProberConfig = { ...config, dependants: [kcm] };
/** With time-outs that are over before the next probe. */
const hasty: ProberConfig = { ...quick, dependants: quick.dependants.map((one) => change(one, { timeout: 10_000 })) };
const [hastyKcm] = hasty.dependants as [Dependant, Dependant];

const paths: ProberConfig = {
  ...twoPathConfig,
  dependants: quick.dependants,
  failureThreshold: 2,
  backoffJitterFactor: 0,
};
const pathsAlone: ProberConfig = { ...paths, dependants: [kcm] };
/** For walks in which the count does not matter. */
const pathsAtOnce: ProberConfig = { ...pathsAlone, failureThreshold: 1 };

// Each walk has its own trouble, since all trouble together would be too much to walk. `places` is how many places it found when it
// was written, or a little less: a walk that finds far fewer has lost its way.
const walks: Record<string, Alphabet & { places: number }> = {
  'anything comes while a probe is asked': { config: alone, interleaved: true, places: 500 },
  'probing stops while a probe is asked': { config: alone, interleaved: true, stops: 'hibernated', places: 900 },
  'probes are unclear': { config: alone, unclear: true, places: 100 },
  'probes are unclear while verdicts are counted': {
    config: { ...alone, failureThreshold: 2 },
    unclear: true,
    places: 140,
  },
  'leases are doubtful': { config: alone, doubtful: true, stops: 'hibernated', places: 1_000 },
  'probing stops and starts': { config: { ...alone, failureThreshold: 2 }, stops: 'unreadable', places: 280 },
  'writes and reads fail': { config: { ...hasty, dependants: [hastyKcm] }, failing: [hastyKcm], places: 100 },
  'there are two levels': { config: quick, places: 2_000 },
  'others raise it': { config: alone, raised: [kcm], places: 100 },
  'others take it down': { config: alone, takenDown: [kcm], places: 100 },
  'others delete it and create it': { config: alone, deleted: [kcm], places: 600 },
  'others take it out of our hands': { config: alone, ignored: [kcm], places: 350 },
  'its watch goes out': { config: alone, unwatched: [kcm], places: 550 },
  'nobody tells of Clusters': { config: alone, blind: true, places: 300 },
  'one may not be read': {
    config: { ...config, dependants: [thing] },
    forbidden: [thing],
    crowded: true,
    places: 700,
  },
  'there is no place for a probe': { config: alone, unclear: true, crowded: true, places: 100 },
  'one is written in two steps and never watched': {
    config: { ...config, dependants: [thing] },
    places: 100,
  },
  'anything comes while paths are asked': { config: pathsAtOnce, interleaved: true, stops: 'hibernated', places: 850 },
  'answers of paths are unclear': { config: pathsAlone, interleaved: true, unclear: true, places: 1_450 },
  'nobody tells of Clusters while paths are asked': {
    config: pathsAtOnce,
    interleaved: true,
    blind: true,
    places: 3_000,
  },
  'probes of paths are unclear': { config: pathsAlone, unclear: true, places: 500 },
  'three failures of a path and two answers are counted': {
    config: { ...pathsAlone, failureThreshold: 3, successThreshold: 2 },
    places: 165,
  },
  'two paths are asked, and there are two levels': { config: paths, places: 1_500 },
  'the probing of paths stops and starts': { config: pathsAlone, stops: 'unreadable', places: 145 },
  'two paths are asked, and nobody tells of Clusters': { config: pathsAlone, blind: true, places: 260 },
};

describe.each(Object.keys(walks))('where %s', (name) => {
  const { places: found, ...alphabet } = walks[name]!;
  const graph = walked(alphabet);

  test('S1 S2 S3 S4 S5 S7 4.9 6.6 9.1 no step breaks a law, and no wake is forgotten or in vain', () => {
    expect(brokenSteps(graph())).toEqual([]);
  });

  test('L1 4.9 from every place, calm leads back to where everything runs and nothing is due', () => {
    const lost = stranded(graph(), ({ move: { when } }) => when === 'calm' || when === 'always', isWell);
    expect(lost.slice(0, 3)).toEqual([]);
  });

  test('L2 4.9 from every place, a cut-off that lasts, or a broken path, leads to where everything is scaled down', () => {
    const lost = stranded(graph(), ({ move: { when } }) => when === 'storm' || when === 'always', isShielded);
    expect(lost.slice(0, 3)).toEqual([]);
  });

  test('4.9 9.1 the walk has been everywhere', () => {
    const places = [...graph().places.values()];
    expect(places.length).toBeGreaterThan(found);
    const { interleaved = false, doubtful = false, blind = false, config: under } = alphabet;
    const probes = new Set<string>(places.map(({ snapshot }) => snapshot.value.probe));
    const askedPaths = ['askingPaths', ...(blind ? ['readingCluster'] : [])];
    const asked = hasTwoPaths(under) ? askedPaths : ['asking', 'looking'];
    expect([...probes].toSorted()).toEqual([...(interleaved ? asked : []), 'off', 'resting'].toSorted());
    const said = new Set(
      places.map(({ stillSaid }) => stillSaid.filter((kind) => kind.startsWith('leases')).join(' and ')),
    );
    const both = 'leasesAhead and leasesNotRenewed';
    expect([...said].toSorted()).toEqual(doubtful ? ['', 'leasesAhead', both, 'leasesNotRenewed'] : ['']);
    const shields = new Set<string>(places.map(({ snapshot }) => snapshot.value.shield));
    const counting = under.failureThreshold > 1 ? ['leaseFailed'] : [];
    expect([...shields].toSorted()).toEqual(['idle', ...counting, 'probing', 'scaledDown', 'scalingDown', 'scalingUp']);
  });
});
