import { useEffect, useState } from 'preact/hooks';

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

/** Changes with what the colours of base.css come to: the reader's choice in the header, or that of the system. */
export function useDarkness(): string {
  const [darkness, setDarkness] = useState(readDarkness);
  useEffect(() => {
    const heard = () => setDarkness(readDarkness());
    const media = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(heard);
    media.addEventListener('change', heard);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    heard();
    return () => {
      media.removeEventListener('change', heard);
      observer.disconnect();
    };
  }, []);
  return darkness;
}

function readDarkness(): string {
  const { matches } = matchMedia('(prefers-color-scheme: dark)');
  return `${document.documentElement.dataset['theme'] ?? ''} ${matches}`;
}
