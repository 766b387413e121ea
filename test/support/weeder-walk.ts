import type { WeederInput } from '../../src/machines/weeder-language.ts';
import { pureMachines, type WeederOutcome } from '../../src/machines/kinds.ts';
import { explore, type Graph } from './explore.ts';
import { auditWeeder, firstWeederAccount } from '@dwd/testing/weeder-laws.ts';
import {
  describeWeederPlace,
  type WeederMove,
  type WeederPlace,
  weederMovesFrom,
  type WeederAlphabet,
} from './weeder-walk-moves.ts';
import { podView } from '@dwd/testing/weeder-driver.ts';

const input: WeederInput = {
  namespace: 'shoot--walk--one',
  service: 'kube-apiserver',
  selectors: ['role in (controller)'],
  watchDuration: 300_000,
  chance: 1,
};

/** Walks over every place that a weeder can reach with these moves, and checks the laws at each step. */
export function walkWeeder(alphabet: WeederAlphabet, limit: number): Graph<WeederPlace, WeederMove> {
  return explore(
    {
      start: start(alphabet),
      movesFrom: (place) => weederMovesFrom(place, alphabet),
      step,
      describe: describeWeederPlace,
    },
    limit,
  );
}

/** With as many other pods in the window as `crowd` says; all their deletions are under way. */
function start({ crowd = 0 }: WeederAlphabet): WeederPlace {
  const outcome = pureMachines.weeder.first(input);
  let place: WeederPlace = {
    snapshot: outcome.snapshot,
    account: firstWeederAccount,
    gone: false,
    incarnations: {},
    broken: [],
  };
  if (crowd === 0) return place;
  place = step(place, { type: 'up', when: 'calm', event: { type: 'slices.changed', at: 0, slices: up } });
  for (let index = 0; index < crowd; index++) {
    const pod = podView({ name: `crowd-${index}`, uid: `crowd-${index} 0` });
    const number = place.account.watch ?? 0;
    place = step(place, { type: 'crowds', when: 'calm', event: { type: 'pod.changed', at: 0, number, pod } });
  }
  return place;
}

const up = { slice: { ready: 1, endpoints: 1 } };

/** If a move has no event, time has passed and nobody has told the machine. */
function step(place: WeederPlace, { event, at = 0, incarnations }: WeederMove): WeederPlace {
  const now = Math.max(place.account.now, at);
  const came = { ...place, incarnations: { ...place.incarnations, ...incarnations }, broken: [] };
  if (event === undefined) return { ...came, account: { ...place.account, now } };
  const outcome: WeederOutcome = pureMachines.weeder.take(place.snapshot, event);
  const { account, broken } = auditWeeder({ ...place.account, now }, event, outcome, input.watchDuration);
  return { ...came, snapshot: outcome.snapshot, account, gone: event.type === 'service.gone', broken };
}
