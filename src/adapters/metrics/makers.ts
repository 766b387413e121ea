import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Makes metrics that show in `registry`. */
export function makers(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: number[]) => new Histogram({ name, help, buckets, registers }),
  };
}
