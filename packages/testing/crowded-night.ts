import type { ShootTurn } from 'dependency-watchdog/effects/turn.ts';
import { playCalmNight, playLongNight, playShoot, playedShoots } from './played-shoots.ts';
import { asShoot, nightBegins, writeNight } from './written-night.ts';

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
