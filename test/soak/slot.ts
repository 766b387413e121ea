import type { RoleName } from '../../src/commands/role/role.ts';
import type { Millis } from '../../src/domain/time.ts';
import type { MemoryDisk } from './memory/memory-disk.ts';
import type { MemoryOutput } from './memory/memory-output.ts';
import type { Link } from './link.ts';
import type { SlotName } from './observation.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** One replica of a role, as its Deployment keeps it: a process that is started again when it has ended. */
export class Slot {
  readonly name: SlotName;
  readonly role: RoleName;
  readonly links: Readonly<{ seed: Link; shoot: Link }>;
  /** A volume that outlives its processes. */
  readonly disk: MemoryDisk;
  readonly output: MemoryOutput;
  /** How far ahead the clock of its machine is, beside what each process draws. */
  ahead: Millis = 0;
  process: SimulatedProcess | undefined;
  /** Processes so far. */
  incarnation = 0;
  /** Ends since it last ran for 10 minutes, which the kubelet's back-off goes by. */
  failures = 0;
  startedAt = 0;
  /** Cancels the start that is planned. */
  unplan: () => void = () => undefined;

  constructor(name: SlotName, role: RoleName, links: Slot['links'], { disk, output }: Pick<Slot, 'disk' | 'output'>) {
    this.name = name;
    this.role = role;
    this.links = links;
    this.disk = disk;
    this.output = output;
  }

  /** The kubelet's CrashLoopBackOff: 10 s, doubled up to 5 minutes; the first start is at once. */
  backOff(): Millis {
    return this.failures <= 1 ? 1_000 : Math.min(10_000 * 2 ** (this.failures - 2), 300_000);
  }
}
