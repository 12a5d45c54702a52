import { useEffect, useState } from 'preact/hooks'

const slowSeconds = 4

/** Until an answer comes; what takes long says so. */
export const Waiting = () => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - began) / 1000)), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="waiting">
      {seconds < slowSeconds
        ? 'Asking …'
        : `The server is slow: it has not answered for ${seconds} seconds. This part is waited for; the others can be used.`}
    </p>
  )
}
