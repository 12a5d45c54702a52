import { type Html, html } from '../../../domain/kernel/html.ts'

/** For screen and paper. A day with captures has its count beneath it: colour says nothing alone. */
export const calendarStyle: Html = html`<style>
:root { color-scheme: light; --line: #c8c8c8; --quiet: #555 }
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 72rem; margin: 2rem auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; border-bottom: 2px solid #1a1a1a }
p { margin: .3rem 0; overflow-wrap: anywhere }
.quiet { color: var(--quiet) }
.verdict { font-size: 1.1rem; font-weight: 600 }
.months { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1.2rem }
table { border-collapse: collapse; width: 100%; align-self: start }
caption { text-align: left; font-weight: 600; padding: .2rem 0 }
.months th, .months td { width: 14.28%; height: 2.4rem; text-align: center; vertical-align: top; padding: .1rem; font-size: .85rem; color: var(--quiet) }
.months th { height: auto; font-weight: 400; border-bottom: 1px solid var(--line) }
.months .has { background: #dcebf7; color: #1a1a1a }
.has a { display: block; color: inherit }
.has b { display: block; line-height: 1.1 }
a:focus-visible { outline: 3px solid #1a1a1a; outline-offset: 1px }
.scroll { overflow-x: auto }
.scroll th, .scroll td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
.scroll thead th { border-bottom: 1px solid #1a1a1a }
.scroll tbody th { font-weight: 400; white-space: nowrap }
:target { background: #fff2b8 }
@media print {
  body { font-size: 9.5pt; margin: 0; padding: 0; max-width: none }
  table, tr { break-inside: avoid }
  .scroll { overflow: visible }
}
</style>`
