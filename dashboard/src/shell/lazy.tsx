import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export interface PageProps {
  /** The names in its pattern. */
  readonly values: Readonly<Record<string, string>>
}

interface LazyProps extends PageProps {
  readonly load: () => Promise<{ readonly default: FunctionComponent<PageProps> }>
}

/** A page's code is loaded when it is opened. */
export const Lazy = ({ load, values }: LazyProps) => {
  const [found, setFound] = useState<{ Page?: FunctionComponent<PageProps>; isMissing?: boolean }>({})
  useEffect(() => {
    load().then(
      ({ default: Page }) => setFound({ Page }),
      () => setFound({ isMissing: true }),
    )
  }, [load])
  if (found.isMissing)
    return (
      <p class="trouble" role="status">
        This part of the page could not be loaded. Is the server of another version now?{' '}
        <a href={location.href}>Load the page anew.</a>
      </p>
    )
  return found.Page ? <found.Page values={values} /> : <p class="waiting">Loading …</p>
}
