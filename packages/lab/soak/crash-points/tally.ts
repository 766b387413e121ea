import type { Job, Played } from './play.ts';

type Sum = { points: number; lives: Map<string, number>; blows: number; judged: number; marked: number; wrong: number };

/** What was played, by flow. */
export class Tally {
  readonly #sums = new Map<string, Sum>();

  count({ flow, mode }: Pick<Job, 'flow' | 'mode'>, { blows, judgedMarks, marked, wrongs }: Played): void {
    const sum = this.#of(flow);
    sum.lives.set(mode, (sum.lives.get(mode) ?? 0) + 1);
    sum.blows += blows.length;
    if (judgedMarks) sum.judged += 1;
    if (marked) sum.marked += 1;
    if (wrongs.length > 0) sum.wrong += 1;
  }

  knowPoints(flow: string, points: number): void {
    this.#of(flow).points = points;
  }

  /** Nothing was wrong, and something was played. */
  get isGood(): boolean {
    const sums = [...this.#sums.values()];
    return sums.every(({ wrong }) => wrong === 0) && sums.some(({ blows }) => blows > 0);
  }

  lines(): readonly string[] {
    const all = { lives: 0, blows: 0, wrong: 0 };
    const rows = [...this.#sums].map(([flow, { points, lives, blows, judged, marked, wrong }]) => {
      const played = [...lives].map(([mode, count]) => `${count} × ${mode}`).join(', ');
      all.lives += [...lives.values()].reduce((sum, count) => sum + count, 0);
      all.blows += blows;
      all.wrong += wrong;
      return `${flow}: ${points} points; ${played || 'nothing'}; in ${judged} no node may be marked, in ${marked} one was; ${wrong} wrong`;
    });
    return [...rows, `${all.lives} lives, ${all.blows} crashes and pauses, ${all.wrong} wrong`];
  }

  #of(flow: string): Sum {
    const sum = this.#sums.get(flow) ?? { points: 0, lives: new Map(), blows: 0, judged: 0, marked: 0, wrong: 0 };
    this.#sums.set(flow, sum);
    return sum;
  }
}
