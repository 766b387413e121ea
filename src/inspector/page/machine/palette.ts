/** The colours of base.css, as a canvas takes them. */
export type Palette = Readonly<Record<Ink, string>>;

export const inks = [
  'ground',
  'paper',
  'raised',
  'line',
  'edge',
  'ink',
  'quiet',
  'accent',
  'accent-ground',
  'cut-off',
  'cut-off-ground',
  'down',
  'down-ground',
  'refused',
  'refused-ground',
] as const;

export type Ink = (typeof inks)[number];

/** Reads what the custom properties come to, in the light or in the dark: of themselves they say both. `swatches`: one element for each, in that order. */
export function readPalette(swatches: readonly Element[]): Palette {
  return Object.fromEntries(
    inks.map((ink, index) => {
      const swatch = swatches[index];
      return [ink, swatch === undefined ? '' : getComputedStyle(swatch).color];
    }),
  ) as Palette;
}
