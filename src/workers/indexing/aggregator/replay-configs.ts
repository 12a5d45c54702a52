import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { makeFolder } from '@fonds/toolbox/disk'

export interface ReplayConfig {
  /** Plain index files. */
  readonly paths: readonly string[]
  /** Where replay reads records: folders, or a URL that ends in a slash. */
  readonly archives: readonly string[]
}

const mark = 'Written by Fonds from FONDS_INDEXING_FILES, and written again when that changes.'

/**
 * Writes the settings of replay software, made from the one list (W29), beside its first file: `CDXCollection.xml` for
 * OpenWayback, `config.yaml` for pywb. Leaves files alone that Fonds did not write, and returns their paths.
 */
export const writeReplayConfigs = async (config: ReplayConfig): Promise<readonly string[]> => {
  const folder = dirname(config.paths[0]!)
  const foreign: string[] = []
  for (const [name, text] of [
    ['CDXCollection.xml', cdxCollection(config)],
    ['config.yaml', pywbConfig(config)],
  ] as const) {
    const path = join(folder, name)
    const there = await textIn(path)
    if (there === text) continue
    if (there !== undefined && !there.includes(mark)) {
      foreign.push(path)
      continue
    }
    await makeFolder(folder)
    await writeFile(`${path}.tmp`, text, { flush: true })
    // Replay reads it as another user: it must be readable in spite of the umask that keeps a home private.
    await chmod(`${path}.tmp`, 0o644)
    await rename(`${path}.tmp`, path)
  }
  return foreign
}

/** Keys are SURTs: the canonicalizer must be configured for that. */
export const cdxCollection = ({
  paths,
  archives,
}: ReplayConfig): string => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${mark} -->
<beans xmlns="http://www.springframework.org/schema/beans"
       xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:schemaLocation="http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans-2.5.xsd"
       default-init-method="init">
  <bean id="fondsCanonicalizer" class="org.archive.wayback.util.url.KeyMakerUrlCanonicalizer">
    <constructor-arg value="true"/>
  </bean>
  <bean id="localcdxcollection" class="org.archive.wayback.webapp.WaybackCollection">
    <property name="resourceStore">
      <bean class="org.archive.wayback.resourcestore.SimpleResourceStore">
        <property name="prefix" value="${escaped(prefixOf(archives[0]))}"/>
      </bean>
    </property>
    <property name="resourceIndex">
      <bean class="org.archive.wayback.resourceindex.LocalResourceIndex">
        <property name="canonicalizer" ref="fondsCanonicalizer"/>
        <property name="source">
          <bean class="org.archive.wayback.resourceindex.CompositeSearchResultSource">
            <property name="CDXSources">
              <list>
${paths.map((path) => `                <value>${escaped(path)}</value>`).join('\n')}
              </list>
            </property>
          </bean>
        </property>
      </bean>
    </property>
  </bean>
</beans>
`

/** A group queries all of its files; a list of `index_paths` finds nothing in pywb 2.10. */
export const pywbConfig = ({ paths, archives }: ReplayConfig): string => `# ${mark}
collections:
  web:
    index_group:
${paths.map((path, i) => `      file${i + 1}: ${quoted(path)}`).join('\n')}
    archive_paths:
${archives.map((archive) => `      - ${quoted(prefixOf(archive))}`).join('\n')}
`

const prefixOf = (archive = ''): string => (archive.endsWith('/') ? archive : `${archive}/`)

/** JSON is YAML. */
const quoted = (text: string): string => JSON.stringify(text)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const textIn = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}
