/** Of how many endpoints of an EndpointSlice how many are ready; one that says nothing of it is (SPEC 7.1). */
export type SliceView = Readonly<{ ready: number; endpoints: number }>;

/** Every EndpointSlice of one service, by its name. */
export type Slices = Readonly<Record<string, SliceView>>;

/** Any ready endpoint in any slice will do (SPEC 7.1). */
export function isAvailable(slices: Slices): boolean {
  return Object.values(slices).some(({ ready }) => ready > 0);
}
