import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Zone } from './instant-text.ts';

/** The zone that the reader chose in the header. */
export const ZoneContext = createContext<Zone>('utc');

export function useZone(): Zone {
  return useContext(ZoneContext);
}
