import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import { GuardedWorld } from './guarded-world.ts';
import { gardenerConfig, twoPathConfig } from './prober-configs.ts';
import { activeCluster } from './sim-world.ts';
import { asShoot, nightBegins, writeNight } from './journal-driver.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** What happens to one shoot in a night; it begins with a probed shoot of five nodes. */
type ShootNight = (guarded: GuardedWorld) => Promise<void>;

/** By shoot. Each ends after the same time. */
const stories: Readonly<Record<string, ShootNight>> = {
  'shoot--dev--calm': (guarded) => guarded.pass(12 * minutes),
  'shoot--dev--cut': async (guarded) => {
    await guarded.pass(2 * minutes);
    guarded.world.cutOff(4);
    await guarded.pass(4 * minutes);
    guarded.world.heal();
    await guarded.pass(6 * minutes);
  },
  'shoot--dev--still-cut': async (guarded) => {
    await guarded.pass(9 * minutes);
    guarded.world.cutOff();
    await guarded.pass(3 * minutes);
  },
  'shoot--dev--silent': async (guarded) => {
    await guarded.pass(3 * minutes);
    guarded.world.api = 'down';
    await guarded.pass(6 * minutes);
    guarded.world.api = 'up';
    await guarded.pass(3 * minutes);
  },
  'shoot--dev--asleep': async (guarded) => {
    await guarded.pass(4 * minutes);
    guarded.world.setCluster({
      readable: true,
      cluster: { ...activeCluster, hibernationEnabled: true, hibernated: true },
    });
    await guarded.pass(8 * minutes);
  },
  'shoot--dev--refused': async (guarded) => {
    await guarded.pass(5 * minutes);
    guarded.world.writing = 'refused';
    guarded.world.cutOff();
    await guarded.pass(90 * seconds);
    guarded.world.writing = 'fine';
    await guarded.pass(90 * seconds);
    guarded.world.heal();
    await guarded.pass(4 * minutes);
  },
};

/** The names of the shoots, each of which has its own night. */
export const playedShoots: readonly string[] = Object.keys(stories);

/** One shoot's night, as the real runtime and machine took it in virtual time. */
export async function playShoot(name: string, startAt: Instant): Promise<readonly ShootTurn[]> {
  const story = stories[name];
  if (story === undefined) throw new Error(`there is no story of ${name}`);
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt });
  await story(guarded);
  guarded.stop();
  return guarded.turns;
}

/**
 * The night of a shoot whose two paths are asked (SPEC 4.9). Its load balancer fails for four minutes; later its API server is down for three, so that
 * its internal path fails as well.
 */
export async function playPaths(startAt: Instant): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(twoPathConfig, 0, { startAt });
  await guarded.pass(2 * minutes);
  guarded.world.loadBalancer = 'down';
  await guarded.pass(4 * minutes);
  guarded.world.loadBalancer = 'up';
  await guarded.pass(4 * minutes);
  guarded.world.api = 'down';
  await guarded.pass(3 * minutes);
  guarded.world.api = 'up';
  await guarded.pass(2 * minutes);
  guarded.stop();
  return guarded.turns;
}

/** Cut off and healed again and again, until it has so many turns. */
async function playLongNight(turns: number, startAt: Instant): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt });
  while (guarded.turns.length < turns) {
    await guarded.pass(10 * minutes);
    guarded.world.cutOff(3);
    await guarded.pass(3 * minutes);
    guarded.world.heal();
  }
  guarded.stop();
  return guarded.turns.slice(0, turns);
}

/** Probed, and nothing else, until it has so many turns. */
export async function playCalmNight(turns: number, startAt: Instant): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt });
  while (guarded.turns.length < turns) await guarded.pass(10 * minutes);
  guarded.stop();
  return guarded.turns.slice(0, turns);
}

/** An outage of a shoot whose nodes are named so, with a number behind. */
export async function playMarkup(node: string, startAt: Instant): Promise<readonly ShootTurn[]> {
  const guarded = new GuardedWorld(gardenerConfig, 5, { startAt });
  for (const [index, one] of guarded.world.nodes.entries()) {
    one.name = `${node}${index}`;
    one.view = { ...one.view, name: one.name };
  }
  await guarded.pass(2 * minutes);
  guarded.world.cutOff();
  await guarded.pass(2 * minutes);
  guarded.world.heal();
  await guarded.pass(3 * minutes);
  guarded.stop();
  return guarded.turns;
}

/** The shoot of a crowd that has thousands of turns of its own. */
export const longShoot = 'shoot--dev--long';

/** Writes a journal of so many shoots, most of them calm, with so many turns in all, `long` of which are those of `longShoot`. */
export async function writeCrowdedNight(
  dir: string,
  { shoots, turns, long }: Readonly<{ shoots: number; turns: number; long: number }>,
): Promise<void> {
  const of = await playLongNight(long, nightBegins);
  const all: ShootTurn[] = [];
  const each = Math.ceil((turns - long) / (shoots - 1));
  const calm = await playCalmNight(each, nightBegins);
  const others = await Promise.all(playedShoots.map((name) => playShoot(name, nightBegins)));
  for (let index = 1; index < shoots; index++) {
    const night = index % 10 === 0 ? others[(index / 10) % others.length]! : calm;
    const name = `shoot--team${String(index % 40).padStart(2, '0')}--shoot${String(index).padStart(4, '0')}`;
    all.push(...asShoot(night, name));
  }
  const first = all.toSorted((one, other) => one.at - other.at).slice(0, turns - long);
  await writeNight('prober', dir, [...asShoot(of, longShoot), ...first]);
}
