/** A role's memory, from its metrics. */
export function memoryWords(metrics: ReadonlyMap<string, number>): string {
  const [resident, heap] = ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'].map(
    (name) => `${((metrics.get(name) ?? NaN) / 1_048_576).toFixed(0)} MiB`,
  );
  return `${resident}, of it heap ${heap}`;
}
