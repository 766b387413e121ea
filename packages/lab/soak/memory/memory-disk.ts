import { dirname } from 'node:path';
import type { Disk } from 'dependency-watchdog/adapters/record/journal/kept-files.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { Agenda } from '@dwd/simulator/store/agenda.ts';
import type { Blocking } from './memory-output.ts';

/** What a disk says to whoever wants to write, by errno(3). */
export type DiskError = 'ENOSPC' | 'EIO' | 'EROFS' | 'EMFILE';

type File = { bytes: Buffer; size: number };

/** A disk that outlives the processes which write to it, with the levers on it. It knows files in directories of one level, and no rights. */
export class MemoryDisk {
  /** What fails: every write, and whatever makes or removes a name. Where descriptors have run out (EMFILE), only to open a file. */
  error: DiskError | undefined;
  /** Until an answer comes. */
  delay: Millis = 1;
  /** Bytes that one write takes at most. */
  mostAtOnce = Infinity;
  /** Each byte counts as so many, where sizes are asked for: an hour is then as much as weeks of a large seed. */
  magnifies = 1;
  /** A file that a process removed while it wrote to it. */
  removedByWriter: string | undefined;
  /** What the files held that processes removed to make room; whoever looks takes it. */
  readonly removed: Buffer[] = [];
  readonly #agenda: Agenda;
  #hangs = false;
  readonly #waiting: (() => void)[] = [];
  readonly #directories = new Set<string>();
  readonly #files = new Map<string, File>();
  /** A file that was deleted goes on taking writes by its descriptor. */
  readonly #open = new Map<number, File>();
  #descriptors = 2;

  constructor(agenda: Agenda) {
    this.#agenda = agenda;
  }

  /** What each file holds, by its path. */
  contents(): ReadonlyMap<string, Buffer> {
    return new Map([...this.#files].map(([path, { bytes, size }]) => [path, bytes.subarray(0, size)]));
  }

  /** How many bytes each file holds, as it is told, by its path. */
  sizes(): ReadonlyMap<string, number> {
    return new Map([...this.#files].map(([path, { size }]) => [path, size * this.magnifies]));
  }

  /** Its server is away: whatever is asked is done once it is back, and until then nobody says anything. */
  hang(): void {
    this.#hangs = true;
  }

  makeWell(): void {
    this.error = undefined;
    this.delay = 1;
    this.mostAtOnce = Infinity;
    this.#hangs = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Somebody deletes every file, and its directory. */
  deleteAll(): void {
    this.#directories.clear();
    this.#files.clear();
  }

  /** As one process sees it: `deliver` brings it the answers. `writeNow` is what the kernel does for a call that blocks: the port has none. */
  as(
    deliver: (task: () => void) => void,
    standStill: (until: (over: () => void) => void) => void = () => undefined,
  ): Blocking<Disk, unknown> & Readonly<{ unanswered(): number }> {
    const own = new Set<File>();
    let unanswered = 0;
    const soon = <Value>(work: () => Value): Promise<Value> =>
      new Promise((resolve, reject) => {
        unanswered += 1;
        this.#agenda.after(this.delay, () =>
          this.#whenAnswering(() => {
            const answer = attempt(work);
            deliver(() => {
              unanswered -= 1;
              if ('error' in answer) reject(answer.error);
              else resolve(answer.value);
            });
          }),
        );
      });
    const create = (path: string): number => {
      const descriptor = this.#create(path);
      own.add(this.#file(path));
      return descriptor;
    };
    const close = (descriptor: number): void => {
      const file = this.#open.get(descriptor);
      if (file !== undefined) own.delete(file);
      this.#open.delete(descriptor);
    };
    return {
      make: (dir) => soon(() => this.#make(dir)),
      open: (path) => soon(() => create(path)),
      write: (descriptor, bytes, position, taken) => {
        // The caller goes on with its buffer.
        const copy = Buffer.from(bytes);
        soon(() => this.#write(descriptor, copy, position)).then(
          (written) => taken(null, written),
          (error: Error) => taken(error, 0),
        );
      },
      close,
      isAt: (descriptor, path) => soon(() => this.#open.get(descriptor) === this.#files.get(path)),
      list: (dir) => soon(() => this.#list(dir)),
      size: (path) => soon(() => this.#file(path).size * this.magnifies),
      remove: (path) =>
        soon(() => {
          const file = this.#file(path);
          const size = this.#remove(path) * this.magnifies;
          this.removed.push(file.bytes.subarray(0, file.size));
          if (own.has(file)) this.removedByWriter = path;
          return size;
        }),
      writeNow: () => {
        if (this.#hangs) standStill((over) => this.#waiting.push(over));
      },
      unanswered: () => unanswered,
    };
  }

  #whenAnswering(then: () => void): void {
    if (this.#hangs) this.#waiting.push(then);
    else then();
  }

  #make(dir: string): void {
    if (this.#directories.has(dir)) return;
    this.#change();
    this.#directories.add(dir);
  }

  #create(path: string): number {
    if (!this.#directories.has(dirname(path))) throw errno('ENOENT');
    if (this.error === 'EMFILE') throw errno(this.error);
    this.#change();
    if (this.#files.has(path)) throw errno('EEXIST');
    const file = { bytes: Buffer.alloc(4_096), size: 0 };
    this.#files.set(path, file);
    this.#descriptors += 1;
    this.#open.set(this.#descriptors, file);
    return this.#descriptors;
  }

  #write(descriptor: number, bytes: Buffer, position: number): number {
    const file = this.#open.get(descriptor);
    if (file === undefined) throw errno('EBADF');
    this.#change();
    const taken = bytes.subarray(0, this.mostAtOnce);
    const end = position + taken.length;
    if (end > file.bytes.length) {
      const grown = Buffer.alloc(2 * end);
      file.bytes.copy(grown, 0, 0, file.size);
      file.bytes = grown;
    }
    taken.copy(file.bytes, position);
    file.size = Math.max(file.size, end);
    return taken.length;
  }

  #list(dir: string): readonly string[] {
    if (!this.#directories.has(dir)) throw errno('ENOENT');
    return [...this.#files.keys()].flatMap((path) => (dirname(path) === dir ? [path.slice(dir.length + 1)] : []));
  }

  #file(path: string): File {
    const file = this.#files.get(path);
    if (file === undefined) throw errno('ENOENT');
    return file;
  }

  #remove(path: string): number {
    const file = this.#file(path);
    // Who removes a file makes room: only a disk that cannot be written at all refuses it.
    if (this.error === 'EIO' || this.error === 'EROFS') throw errno(this.error);
    this.#files.delete(path);
    return file.size;
  }

  #change(): void {
    if (this.error !== undefined && this.error !== 'EMFILE') throw errno(this.error);
  }
}

function attempt<Value>(work: () => Value): Readonly<{ value: Value }> | Readonly<{ error: unknown }> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function errno(code: string): Error {
  return Object.assign(new Error(`${code}: of a simulated disk`), { code });
}
