import type { Dashboard, Panel } from './dashboards.ts';

export type Place = Readonly<{ x: number; y: number; w: number; h: number }>;

/** Puts the panels side by side, in 24 columns, row after row. */
export function layout({ panels }: Dashboard): readonly Readonly<{ panel: Panel; place: Place }>[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel) => {
    if (x + panel.width > 24) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const place = { x, y, w: panel.width, h: panel.height };
    x += panel.width;
    rowHeight = Math.max(rowHeight, panel.height);
    return { panel, place };
  });
}
