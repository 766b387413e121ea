import type { Clock } from '../effects/ports.ts';
import { wallClock } from './wall-clock.ts';

/** The machine's own time, as leases and certificates are written in it. */
export const systemClock: Clock = wallClock(() => Date.now(), 1);
