/**
 * What the image gives its Node, for a container of any memory (docs/performance.md, "Memory"). The Dockerfile says the same, and a test
 * compares them.
 *
 * - Node takes 262 MiB of heap in a container of 256 MiB unless it is told, and the kernel would end it without a word before V8
 *   collects what is garbage. A percentage follows the container's limit, also when the autoscaler raises it. The other half is for what is not heap: TLS, buffers, code.
 * - A young generation of 4 MiB takes 5 MiB more than one of 1, and a tenth less CPU in an outage (docs/performance.md).
 */
const oldSpacePercentage = 50;

const semiSpaceMiB = 4;

/** The environment of the image, by name. */
export const runtimeEnvironment: Readonly<
  Record<'NODE_OPTIONS' | 'MALLOC_ARENA_MAX' | 'MALLOC_TRIM_THRESHOLD_' | 'MALLOC_MMAP_THRESHOLD_', string>
> = {
  NODE_OPTIONS: `--max-old-space-size-percentage=${oldSpacePercentage} --max-semi-space-size=${semiSpaceMiB}`,
  // Memory of one thread that was freed serves all others; glibc would keep an arena for each. 5 MiB less.
  MALLOC_ARENA_MAX: '1',
  // What is freed goes back to the kernel: glibc raises both with what was ever freed at once, as by a start that compiles much. 4 MiB less.
  MALLOC_TRIM_THRESHOLD_: '65536',
  // A block of at least this size goes back to the kernel as soon as it is freed. Below it, buffers of TLS and of V8's compilers leave holes. 16 KB takes 5 MiB less than 64.
  MALLOC_MMAP_THRESHOLD_: '16384',
};

/** What these flags come to in a container of so much memory: a bench is in none. */
export function flagsWithin(containerMiB: number): readonly string[] {
  return [`--max-old-space-size=${(containerMiB * oldSpacePercentage) / 100}`, `--max-semi-space-size=${semiSpaceMiB}`];
}
