import { type Html, html } from '../../../domain/kernel/html.ts'

/** Undefined without rows. */
export const certificateTable = (
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>\n`)}</tbody>
</table></div>`
