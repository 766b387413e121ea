import type { Tenure } from 'dependency-watchdog/adapters/record/journal/journal-kinds.ts';
import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { playShoot } from '@dwd/testing/played-shoots.ts';
import { playEtcdOutage } from './played-services.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { asShoot, nightBegins, writeNight } from '@dwd/testing/journal-driver.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** How many shoots one gateway takes with it. */
const stormSize = 60;
const podA = 'dependency-watchdog-prober-a';
const podB = 'dependency-watchdog-prober-b';

/**
 * Writes a night that is hard to understand: a storm of 60 shoots within six seconds; ten minutes later an outage in which somebody raises
 * kube-controller-manager, and one in which the leader crashes and another one goes on; a shoot that nothing happens to; and a weeder's chain.
 */
export async function writeHardNight(dir: string): Promise<void> {
  const storm = await Promise.all(
    Array.from({ length: 6 }, async (_, late) => {
      const turns = await playShoot('shoot--dev--cut', nightBegins + late * seconds);
      const each = Array.from({ length: stormSize / 6 }, (__, index) => late * 10 + index + 1);
      return each.flatMap((number) => asShoot(turns, `shoot--storm--${number}`));
    }),
  );
  const { first, second, secondAt } = await playHandover();
  const raised = asShoot(await playRaised(), 'shoot--dev--raised');
  const calm = new GuardedWorld(gardenerConfig, 5, { startAt: nightBegins });
  await calm.pass(24 * minutes);
  calm.stop();
  const firstLead: Tenure = { identity: `${podA}_1`, tookAt: nightBegins, how: 'free' };
  const secondLead: Tenure = { identity: `${podB}_2`, tookAt: secondAt, how: 'ranOut', from: `${podA}_1` };
  const ofFirst = [...storm.flat(), ...raised, ...asShoot(calm.turns, 'shoot--dev--calm'), ...first];
  await writeNight('prober', dir, ofFirst, gardenerConfig, firstLead);
  await writeNight('prober', dir, second, gardenerConfig, secondLead);
  await writeNight('weeder', dir, await playEtcdOutage(nightBegins + 5 * minutes));
}

/** Cut off for four minutes; in the second one somebody scales kube-controller-manager to 1. */
async function playRaised(): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: nightBegins + 10 * minutes });
  await guarded.pass(2 * minutes);
  guarded.world.cutOff(4);
  await guarded.pass(2 * minutes);
  guarded.world.edit(controllerManager.key, { replicas: 1 });
  await guarded.pass(2 * minutes);
  guarded.world.heal();
  await guarded.pass(5 * minutes);
  guarded.stop();
  return guarded.turns;
}

/** The leader crashes 90 s after the cut, another one takes over 16 s later, and brings all back once the shoot is healed. */
async function playHandover() {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt: nightBegins + 20 * minutes });
  await guarded.pass(2 * minutes);
  guarded.world.cutOff();
  await guarded.pass(90 * seconds);
  guarded.stop();
  const count = guarded.turns.length;
  await guarded.pass(16 * seconds);
  const secondAt = guarded.clock.now();
  guarded.start(true);
  await guarded.pass(60 * seconds);
  guarded.world.heal();
  await guarded.pass(3 * minutes);
  guarded.stop();
  const all = asShoot(guarded.turns, 'shoot--dev--handover');
  return { first: all.slice(0, count), second: all.slice(count), secondAt };
}
