import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../control-plane/run-program.ts';
import { strangerEndsWithUs } from '../../real/clearing-up.ts';
import { start } from '../../real/processes.ts';
import { nextWire, type Wire } from './pod-network.ts';
import { cgroupOf, runtimeConfig, type PodSpec } from './pod-spec.ts';
import { imageUnderTest } from './unpacked-image.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** A container of the image, run by runc as a kubelet would have it run. Its log is a file of its name. */
export class Pod implements AsyncDisposable {
  readonly name: string;
  readonly address: string;
  readonly startedAt = Date.now();
  readonly #log: string;
  readonly #child: ChildProcess;
  readonly #runc: readonly string[];
  /** Of its first process, on this machine. */
  #pid = 0;
  #forget = (): void => undefined;
  /** When it had ended, in ms, and its exit code. A killed one has 137. */
  ended: Readonly<{ at: number; code: number | null }> | undefined;

  private constructor(directory: string, spec: PodSpec, wire: Wire) {
    const { bundle, programs } = imageUnderTest();
    const place = join(directory, `${spec.name}.bundle`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'config.json'), JSON.stringify(runtimeConfig(bundle, spec, wire)));
    this.name = spec.name;
    this.address = wire.address;
    this.#log = join(directory, `${spec.name}.log`);
    this.#runc = [programs.runc, '--root', join(directory, 'runc')];
    const [command = '', ...args] = this.#runc;
    this.#child = start(directory, spec.name, command, [...args, 'run', '--bundle', place, spec.name]);
    // With the last of its output, and not before: what was said last is what a failed test is asked for.
    this.#child.once('close', (code) => {
      this.ended = { at: Date.now(), code };
      this.#forget();
    });
  }

  /** Resolves once its process runs; or has run, where it ends at once. */
  static async start(directory: string, spec: PodSpec): Promise<Pod> {
    const pod = new Pod(directory, spec, nextWire());
    while (pod.ended === undefined && pod.#pid === 0) {
      const state = await pod.#call('state').catch(() => '{}');
      const { pid = 0, status } = JSON.parse(state) as { pid?: number; status?: string };
      if (status === 'running') pod.#pid = pid;
      else await pause(20);
    }
    if (pod.ended === undefined) pod.#forget = strangerEndsWithUs(pod.#pid);
    return pod;
  }

  /** All that it has said so far, on both outputs. */
  get said(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : '';
  }

  /** The lines of its log that are JSON. */
  get lines(): readonly LogLine[] {
    return this.said.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  }

  /** The value of a metric that has no labels; undefined as long as it does not answer. */
  async metric(name: string): Promise<number | undefined> {
    const text = await this.get(9643, '/metrics');
    const value = text === undefined ? undefined : new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  }

  /** The body of an answer with 200. */
  async get(port: number, path: string): Promise<string | undefined> {
    try {
      const answer = await fetch(`http://${this.address}:${port}${path}`, { signal: AbortSignal.timeout(5_000) });
      return answer.status === 200 ? await answer.text() : undefined;
    } catch {
      return undefined;
    }
  }

  /** The same from the pod's own loopback, as `kubectl port-forward` asks. Rejects where nothing answers with 200. */
  async getFromWithin(port: number, path: string): Promise<string> {
    const ask = `const answer = await fetch('http://127.0.0.1:${port}${path}');
      if (!answer.ok) throw new Error(answer.status);
      process.stdout.write(await answer.text());`;
    const node = [process.execPath, '--input-type=module', '--eval', ask];
    return await runProgram('nsenter', ['--target', String(this.#pid), '--net', ...node]);
  }

  /** What a command prints within the container, as by `kubectl exec`. Rejects where it ends with another code than 0. */
  async exec(...command: readonly string[]): Promise<string> {
    return await this.#call('exec', ...command);
  }

  /** Resolves to the instant at which it was so. Rejects with the log where it does not come to be, or the container ends before. */
  async until(what: string, isSo: () => Promise<boolean> | boolean, patience = 120_000): Promise<number> {
    const from = Date.now();
    for (;;) {
      if (await isSo()) return Date.now();
      if (this.ended !== undefined) throw this.failed(`it ended with ${this.ended.code}, and not yet: ${what}`);
      if (Date.now() - from > patience) throw this.failed(`not within ${patience / 1_000} s: ${what}`);
      await pause(25);
    }
  }

  failed(problem: string): Error {
    return new Error(`${this.name}: ${problem}. Its log ends with:\n${this.said.slice(-4_000)}`);
  }

  /** As the runtime sends it, to the container's first process. */
  async signal(name: 'TERM' | 'KILL'): Promise<void> {
    await this.#call('kill', name);
  }

  /** Resolves, once it has ended with 0, to how long that took from now on, in ms. */
  async endsWell(patience = 30_000): Promise<number> {
    const from = Date.now();
    await this.#end(patience);
    if (this.ended?.code !== 0) throw this.failed(`it ended with ${this.ended?.code}, and not with 0`);
    return this.ended.at - from;
  }

  /** Lines of `/proc/PID/status`: its ids and capabilities. */
  get rights(): string {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    return status
      .split('\n')
      .filter((line) => /^(?:Uid|Gid|Cap|NoNewPrivs|Groups)/.test(line))
      .join('\n');
  }

  /**
   * In bytes: its limit, what a kubelet counts against that, the most that was counted, and what is resident. The last one has the pages of the
   * program's file, Node's above all; the others only if no other cgroup had read that file before.
   */
  measure(): Readonly<{ limit: number; workingSet: number; peak: number; resident: number }> {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8'))?.[1];
    return { ...memoryOf(cgroupOf(this.name)), resident: Number(kibibytes) * 1_024 };
  }

  /** Where its process sees a file system of this machine or of the image that can be written; `/dev` and `/proc` are the kernel's. */
  writablePlaces(): readonly string[] {
    return readFileSync(`/proc/${this.#pid}/mounts`, 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, at = '', , options = '']) => /^rw\b/.test(options) && !/^\/(?:dev|proc)(?:\/|$)/.test(at))
      .flatMap(([, at]) => at ?? []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.ended === undefined) await this.signal('KILL').catch(() => undefined);
    await this.#end(30_000);
  }

  async #end(patience: number): Promise<void> {
    const from = Date.now();
    while (this.ended === undefined) {
      if (Date.now() - from > patience) throw this.failed(`it did not end within ${patience / 1_000} s`);
      await pause(5);
    }
  }

  async #call(verb: string, ...rest: readonly string[]): Promise<string> {
    const [command = '', ...args] = this.#runc;
    return await runProgram(command, [...args, verb, this.name, ...rest]);
  }
}

/** By the first version of cgroups or the second. The working set is what a kubelet counts: without files that could be dropped. */
function memoryOf(cgroup: string): Readonly<{ limit: number; workingSet: number; peak: number }> {
  const first = join('/sys/fs/cgroup/memory', cgroup);
  const second = join('/sys/fs/cgroup', cgroup);
  const [place, limit, now, most, inactive] = existsSync(first)
    ? [first, 'memory.limit_in_bytes', 'memory.usage_in_bytes', 'memory.max_usage_in_bytes', 'total_inactive_file']
    : [second, 'memory.max', 'memory.current', 'memory.peak', 'inactive_file'];
  const [limited, used, peak] = [limit, now, most].map((file) => Number(readFileSync(join(place, file), 'utf8')));
  const droppable = new RegExp(`^${inactive} (\\d+)$`, 'm').exec(readFileSync(join(place, 'memory.stat'), 'utf8'));
  if (limited === undefined || used === undefined || peak === undefined || droppable === null)
    throw new Error(`${place} does not say what its memory is`);
  return { limit: limited, workingSet: used - Number(droppable[1]), peak };
}
