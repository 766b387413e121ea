import process from 'node:process';
import { writtenTrace } from '../adapters/log/written-trace.ts';

/** Has the trace of an error that nobody catches name the lines that were written, before anybody prints it. */
export function traceUncaught(): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (error.stack !== undefined) error.stack = writtenTrace(error.stack);
  });
}
