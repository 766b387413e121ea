import type { Played } from './play.ts';

/** Of a hundred, so many have to be seen. */
const leastSeen = 95;

/**
 * One line for each room, what lives on, and whether that is few enough: nothing without an explanation; and of the whole list
 * not much with one. A few of the list tell nothing of its hundredths.
 */
export function sumUp(
  played: readonly Played[],
  isWhole: boolean,
): Readonly<{ lines: readonly string[]; isGood: boolean }> {
  const survivors = played.filter(({ fate }) => fate === 'lives');
  const unexplained = survivors.filter(({ slip }) => slip.explained === undefined);
  const percent = played.length === 0 ? 0 : (100 * (played.length - survivors.length)) / played.length;
  const rooms = Object.entries(Object.groupBy(played, ({ room }) => room));
  return {
    lines: [
      `${'room'.padEnd(14)}slips   seen   hung  lives`,
      ...rooms.map(([room, of = []]) => rowOf(room, of)),
      rowOf('all', played),
      '',
      ...survivors.flatMap(({ slip }) => [
        `lives: ${slip.says} (${slip.file}: ${JSON.stringify(slip.find)})`,
        `       ${slip.explained ?? 'and nothing explains why'}`,
      ]),
      `${percent.toFixed(1)} % seen${isWhole ? `; at least ${leastSeen} % have to be` : ''}. ${unexplained.length} of ${survivors.length} that live are not explained.`,
    ],
    isGood: played.length > 0 && unexplained.length === 0 && (percent >= leastSeen || !isWhole),
  };
}

function rowOf(room: string, played: readonly Played[]): string {
  const count = (fate: string) => played.filter((one) => one.fate === fate).length;
  const numbers = [played.length, count('seen'), count('hung'), count('lives')];
  return room.padEnd(12) + numbers.map((one) => String(one).padStart(7)).join('');
}
