import { listedTopics } from '../system/event-topics.ts'
import { projectionsOf, type System } from '../system/system.ts'
import { v1 } from './context.ts'
import { type Html, html } from './html.ts'

/** A plain page for whoever opens the address: what can be looked at, and where it is described. */
export const indexPage = ({ workflows }: Pick<System, 'workflows'>): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fonds</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  li span { opacity: .7 }
  :root { color-scheme: light dark }
</style>
<h1>Fonds</h1>
${[
  section('Reports', [
    link(`${v1}/reports/fixity`, 'Fixity', 'Is the content still what it was?'),
    link(`${v1}/matching/summary`, 'Matching', 'How many works and graphs there are, and what waits.'),
    link(`${v1}/matching/stuck`, 'Stuck', 'Updates of works that were accepted and cannot be seen.'),
    link(`${v1}/matching/quality`, 'Quality', 'What somebody should look at in the catalogues.'),
    link(`${v1}/research/progress`, 'Research', 'How much is done, how fast it goes, when it will be done.'),
    link(`${v1}/research/leases`, 'Leases', 'Who works on what, since when and until when.'),
    link(`${v1}/research/next`, 'Next', 'What is handed out next, and why.'),
    link(`${v1}/research/parked`, 'Parked', 'What failed too often and waits for a person.'),
    link(
      `${v1}/research/anomalies`,
      'Anomalies',
      'Results outside their lease, late or twice; what is reported of things unknown.',
    ),
  ]),
  section(
    'Views',
    projectionsOf(workflows)
      .flatMap(({ views }) => views)
      .map(({ name, description }) => link(`${v1}/views/${encodeURIComponent(name)}`, name, description)),
  ),
  section('Log and topics', [
    link(`${v1}/events`, 'Events', 'The log from its beginning.'),
    link(`${v1}/topics`, 'Topics', 'Who reads them, and what waits.'),
    link(`${v1}/dead-letters`, 'Dead letters', 'Messages that could not be used.'),
    link(`${v1}/commands`, 'Commands', 'What a person can ask for.'),
  ]),
  section('Documents', [
    link(`${v1}/openapi.json`, 'OpenAPI', 'The routes.'),
    link(`${v1}/asyncapi.json`, 'AsyncAPI', 'The topics.'),
    ...listedTopics(workflows).map(({ name, description }) =>
      link(`${v1}/schemas/${encodeURIComponent(name)}`, name, description),
    ),
  ]),
  section('Operation', [
    link('/readyz', 'Readiness', 'Do stores answer, are views up to date?'),
    link('/metrics', 'Metrics', 'For Prometheus.'),
  ]),
]}
</html>
`.markup

const section = (title: string, links: readonly Html[]): Html =>
  html`<section><h2>${title}</h2><ul>${links}</ul></section>\n`

const link = (href: string, words: string, about: string): Html =>
  html`<li><a href="${href}">${words}</a> <span>${about}</span></li>`
