import { instantOfLine, subjectOfLine } from 'dependency-watchdog/adapters/record/journal/journal-line.ts';
import type { LinePlace } from 'dependency-watchdog/adapters/record/journal/read-journal.ts';
import type { StoredJournal } from '../journal/stored-journal.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { MachineName } from '../wire/wire.ts';
import { carrying, type LazyBlock } from './find-turns.ts';

/** Where the turns of all machines stand in their files. The turns themselves are read when somebody asks for them. */
export type TurnIndex = Readonly<{
  /** A journal, or a chapter of one, begins: each machine's next turn is one that a replay can begin with. */
  begin(journal: StoredJournal, run: string): void;
  add(machine: MachineName, at: Instant, place: LinePlace): void;
  /** Where that machine stood before the turn at this place, as JSON: a replay can begin there, too. */
  keepBefore(journal: StoredJournal, place: LinePlace, before: string): void;
  /** Of one machine, oldest first; undefined where none of its turns ever came. */
  blocksOf(machine: MachineName): readonly LazyBlock[] | undefined;
  /** Nothing more comes: what was reserved is given back. */
  close(): void;
  /** Turns that were given up to make room. */
  dropped(): number;
}>;

/** A turn takes 24 bytes. So this is 100 MB at most, of some 2 GiB of journals. */
const mostTurns = 4_000_000;

/** The turns of a chapter, in four columns: objects would take ten times as much. */
type Chapter = {
  readonly journal: StoredJournal;
  readonly run: string;
  count: number;
  machines: Uint32Array;
  ats: Float64Array;
  begins: Float64Array;
  lengths: Uint32Array;
};

export function turnIndex(most: number = mostTurns): TurnIndex {
  const numbers = new Map<string, number>();
  let chapters: Chapter[] = [];
  const befores = new Map<StoredJournal, Map<number, string>>();
  let [turns, dropped] = [0, 0];

  function makeRoom(): void {
    while (turns > most && chapters.length > 1) {
      const [oldest, ...younger] = chapters;
      chapters = younger;
      turns -= oldest?.count ?? 0;
      dropped += oldest?.count ?? 0;
    }
  }

  function blocksIn(chapter: Chapter, number: number, subject: string): readonly LazyBlock[] {
    const known = befores.get(chapter.journal);
    const blocks: number[][] = [];
    for (let index = chapter.machines.indexOf(number); index !== -1 && index < chapter.count;) {
      const begins = blocks.length === 0 || known?.has(chapter.begins[index] ?? 0) === true;
      if (begins) blocks.push([index]);
      else blocks.at(-1)?.push(index);
      index = chapter.machines.indexOf(number, index + 1);
    }
    return blocks.map((indices) => lazyBlock(chapter, indices, subject, known));
  }

  return {
    begin(journal, run) {
      trim(chapters.at(-1));
      chapters.push({
        journal,
        run,
        count: 0,
        machines: new Uint32Array(64),
        ats: new Float64Array(64),
        begins: new Float64Array(64),
        lengths: new Uint32Array(64),
      });
    },
    add({ kind, subject }, at, { begin, bytes }) {
      const chapter = chapters.at(-1);
      if (chapter === undefined) throw new Error('no journal has begun');
      const name = `${kind} ${subject}`;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      if (chapter.count === chapter.machines.length) resize(chapter, 2 * chapter.count);
      const index = chapter.count;
      chapter.machines[index] = number;
      chapter.ats[index] = at;
      chapter.begins[index] = begin;
      chapter.lengths[index] = bytes;
      chapter.count += 1;
      turns += 1;
      if (turns > most) makeRoom();
    },
    keepBefore(journal, { begin }, before) {
      const known = befores.get(journal) ?? new Map<number, string>();
      befores.set(journal, known.set(begin, before));
    },
    blocksOf({ kind, subject }) {
      const number = numbers.get(`${kind} ${subject}`);
      return number === undefined ? undefined : chapters.flatMap((chapter) => blocksIn(chapter, number, subject));
    },
    close: () => trim(chapters.at(-1)),
    dropped: () => dropped,
  };
}

function resize(chapter: Chapter, length: number): void {
  const { machines, ats, begins, lengths } = chapter;
  const kept = Math.min(length, chapter.count);
  chapter.machines = new Uint32Array(length);
  chapter.ats = new Float64Array(length);
  chapter.begins = new Float64Array(length);
  chapter.lengths = new Uint32Array(length);
  chapter.machines.set(machines.subarray(0, kept));
  chapter.ats.set(ats.subarray(0, kept));
  chapter.begins.set(begins.subarray(0, kept));
  chapter.lengths.set(lengths.subarray(0, kept));
}

function trim(chapter: Chapter | undefined): void {
  if (chapter !== undefined) resize(chapter, chapter.count);
}

function lazyBlock(
  { journal, run, ats, begins, lengths }: Chapter,
  indices: readonly number[],
  subject: string,
  befores: ReadonlyMap<number, string> | undefined,
): LazyBlock {
  const places = indices.map((index) => ({ begin: begins[index] ?? 0, bytes: lengths[index] ?? 0 }));
  const before = befores?.get(places[0]?.begin ?? -1);
  return {
    firstAt: ats[indices[0] ?? 0] ?? Number.NaN,
    lastAt: ats[indices.at(-1) ?? 0] ?? Number.NaN,
    async read() {
      const [first = '', ...rest] = (await journal.linesAt(places)).map((line) => lineOfToday(line, subject));
      return { run, lines: [before === undefined ? first : carrying(first, before), ...rest] };
    },
  };
}

/** Another tool may have written a line anew. In ours the fields stand where they are looked for. */
function lineOfToday(line: string, subject: string): string {
  if (subjectOfLine(line) === subject && !Number.isNaN(instantOfLine(line))) return line;
  const { seq, at, kind, ...rest } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ seq, at, kind, subject, ...rest });
}
