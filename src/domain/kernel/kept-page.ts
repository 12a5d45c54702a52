import { type Html, html } from './html.ts'

interface KeptPage {
  readonly title: string
  readonly style: Html
  readonly header: Html
  readonly main: Html
}

/** One HTML page that is complete in itself: it loads nothing, so it can be printed and kept. */
export const keptPage = ({ title, style, header, main }: KeptPage): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
${style}
</head>
<body>
<header>
${header}
</header>
<main>
${main}
</main>
</body>
</html>
`.markup
