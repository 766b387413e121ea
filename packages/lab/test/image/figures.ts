import { noteIn, type Figure } from '../support/figures.ts';
import { imageUnderTest } from './unpacked-image.ts';

/** Notes what was measured, for the table. */
export function noteFigure(figure: Figure): void {
  noteIn(imageUnderTest().figures, figure);
}
