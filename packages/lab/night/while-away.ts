import { setTimeout as pause } from 'node:timers/promises';
import { ApiException } from '@kubernetes/client-node';

const againAfter = 500;
const mostTries = 240;

/** Asks again and again as long as the server is away; what it refuses is thrown. */
export async function whileAway<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await ask();
    } catch (error) {
      if ((error instanceof ApiException && error.code < 500) || tries === mostTries) throw error;
      await pause(againAfter);
    }
}
