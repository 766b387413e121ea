import type { Law } from '../law.ts';

/** 512 MiB, less the room that is kept for the file that is written to, and what it has grown since the last look. */
const allowedBytes = 416 * 1_048_576;
/** A file with its first line alone recorded nothing. That line has the configuration. */
const headBytes = 16_384;

/**
 * What was recorded stays for as long as the bytes of its directory allow. Then the file goes that was begun first, by the world's clock: not by its name,
 * which has the time that the process believed in. The file that is written to is never removed.
 */
export const recordsStay: Law = {
  name: '9.6 what was recorded stays while its bytes allow',
  begin(scene) {
    /** By slot, in the order in which they were seen first. */
    const known = new Map<string, Map<string, number>>();
    let [judged, forced] = [0, 0];
    return {
      hear(observation) {
        // Somebody else deletes them.
        if (observation.kind === 'happening' && observation.happening.kind === 'journals deleted')
          known.delete(String(observation.happening.of?.['slot']));
        return undefined;
      },
      look() {
        if (!scene.plan.journals) return undefined;
        for (const { name, disk } of scene.slots) {
          if (disk.removedByWriter !== undefined)
            return `${name} removed the file that it wrote to: ${disk.removedByWriter}`;
          const least = headBytes * disk.magnifies;
          const before = known.get(name) ?? new Map<string, number>();
          known.set(name, before);
          const sizes = disk.sizes();
          for (const [path, size] of sizes) before.set(path, size);
          const recorded = [...before.values()].reduce((sum, size) => sum + size, 0);
          let olderStands = false;
          for (const [path, size] of before) {
            judged += 1;
            const isThere = sizes.has(path);
            if (isThere) olderStands ||= size > least;
            else if (size <= least) before.delete(path);
            else if (recorded <= allowedBytes)
              return `${path} of ${name} is gone, and only ${recorded} bytes were recorded`;
            else if (olderStands) return `${path} of ${name} is gone, and an older file still stands`;
            else {
              before.delete(path);
              forced += 1;
            }
          }
        }
        return undefined;
      },
      counts: () => ({ 'looks at files that must stay': judged, 'files that had to go': forced }),
    };
  },
};
