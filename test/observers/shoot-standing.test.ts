import { expect, test } from 'vitest';
import { standingAfter } from '../../src/adapters/record/facts/shoot-standing.ts';
import type { StandingState } from '../../src/domain/prober/standing.ts';
import type { ShootLanguage } from '../../src/machines/kinds.ts';
import type { ShootState } from '../../src/machines/shoot-language.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { autoscaler, controllerManager, gardenerConfig, machineController } from '@dwd/testing/prober-configs.ts';

type Context = ShootLanguage['Context'];
type Known = Context['known'][string];

const guarded = new GuardedWorld(gardenerConfig, 5);
await guarded.pass(60_000);
guarded.stop();
const calm = guarded.turns.at(-1)!.after!.context;

/** The same, but for these dependants. */
function knowing(changes: Readonly<Record<string, (known: Known) => Known>>): Context {
  const known = Object.entries(calm.known).map(([key, one]) => [key, changes[key]?.(one) ?? one] as const);
  return { ...calm, known: Object.fromEntries(known) };
}

const at0 = (marked: boolean) => (known: Known) =>
  ({ ...known, view: { ...known.view!, replicas: 0, readyReplicas: 0, marked } }) as Known;
const refused = (known: Known): Known => ({ ...known, refusal: { times: 1, againAt: 0 } });
const resting = (because: string, change: Partial<NonNullable<Context['cluster']>> = {}): Context => ({
  ...calm,
  cluster: { ...calm.cluster!, ...change },
  pause: { because, interrupted: false },
});
const [kcm, mcm, ca] = [controllerManager.key, machineController.key, autoscaler.key];

test.each<[StandingState, string, ShootState, Context | undefined]>([
  ['watched', 'all is up, and the last verdict was connected', 'probing', calm],
  ['unreadable', 'a dependant may not be read', 'probing', knowing({ [kcm]: refused })],
  ['scaledDownByOthers', 'somebody else scaled to 0', 'probing', knowing({ [kcm]: at0(false) })],
  [
    'partlyScaledDown',
    'it carries the mark before any verdict',
    'probing',
    knowing({ [kcm]: at0(true), [ca]: refused }),
  ],
  ['scaledDown', 'all of it does', 'probing', knowing({ [kcm]: at0(true), [mcm]: at0(true), [ca]: at0(true) })],
  ['waiting', 'nothing is known of it', 'probing', undefined],
  ['leftAlone', 'it hibernates', 'idle', resting('the shoot is hibernated', { hibernationEnabled: true })],
  ['leftAlone', 'it rests, and nothing is known of it', 'idle', undefined],
  ['waiting', 'it wakes up', 'idle', resting('the shoot is still waking up from hibernation', { hibernated: true })],
  ['unreadable', 'its Cluster cannot be read', 'idle', resting('spec.shoot is missing')],
  ['waiting', 'its Cluster was not seen yet', 'idle', { ...calm, cluster: null, pause: null }],
])('9.8 a shoot is %s where %s', (standing, _, state, context) => {
  expect(standingAfter(state, context)).toBe(standing);
});
