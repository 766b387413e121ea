import type { PlayedSoakSlip } from './play-soak-slips.ts';

/** One line for each room and each law, what lives on, and whether nothing lives without an explanation. */
export function sumUp(played: readonly PlayedSoakSlip[]): Readonly<{ lines: readonly string[]; isGood: boolean }> {
  const living = played.filter(({ found }) => found === undefined);
  const unexplained = living.filter(({ slip }) => slip.explained === undefined);
  const rooms = Object.entries(Object.groupBy(played, ({ room }) => room));
  const laws = Object.entries(Object.groupBy(played, ({ found }) => found?.law ?? 'none'));
  return {
    lines: [
      `${'room'.padEnd(14)}slips  found  lives`,
      ...rooms.map(([room, of = []]) => rowOf(room, of)),
      rowOf('all', played),
      '',
      ...laws.map(([law, of = []]) => `${String(of.length).padStart(5)} by ${law}`),
      '',
      ...living.map(
        ({ slip }) => `lives: ${slip.says} (${slip.file})\n       ${slip.explained ?? 'and nothing explains why'}`,
      ),
      `${unexplained.length} of ${living.length} that live are not explained.`,
    ],
    isGood: played.length > 0 && unexplained.length === 0,
  };
}

function rowOf(room: string, played: readonly PlayedSoakSlip[]): string {
  const found = played.filter((one) => one.found !== undefined).length;
  return room.padEnd(12) + [played.length, found, played.length - found].map((one) => String(one).padStart(7)).join('');
}
