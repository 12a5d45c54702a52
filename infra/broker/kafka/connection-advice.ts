import { causes, typeOf } from './errors.ts'

/** Connection errors, by code or words, and their meaning for the person who set up Fonds. */
const advices: readonly { readonly sign: RegExp; readonly advice: string }[] = [
  {
    sign: /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET_ISSUER|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED/,
    advice:
      'Kafka shows a certificate of an authority that is not trusted here: give the PEM file of the right one (FONDS_KAFKA_CA_FILE)',
  },
  {
    sign: /ERR_TLS_CERT_ALTNAME_INVALID/,
    advice:
      "Kafka's certificate is not for the name it was reached by: use one that is in it, in FONDS_BROKER and in the brokers' advertised.listeners",
  },
  {
    sign: /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    advice: "Kafka's certificate is not valid today: renew it, or set this machine's clock",
  },
  {
    sign: /SSL alert number|ERR_SSL_\w*ALERT/,
    advice:
      'Kafka broke the TLS handshake off: does it ask for a certificate (FONDS_KAFKA_CERT_FILE, FONDS_KAFKA_KEY_FILE), and of another authority?',
  },
  {
    sign: /before secure TLS connection was established|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
    advice: 'nothing speaks TLS there: is the port right, or should FONDS_KAFKA_TLS be off?',
  },
  {
    sign: /ILLEGAL_SASL_STATE/,
    advice: 'Kafka asks for no log-in there: is the port right, or should FONDS_KAFKA_SASL be unset?',
  },
  {
    sign: /KafkaJSConnectionClosedError/,
    advice:
      'if Kafka closes every connection, it wants TLS (FONDS_KAFKA_TLS=on) or a log-in (FONDS_KAFKA_SASL) there',
  },
]

/** Returns what to check after an error. */
export const connectionAdvice = (error: unknown): string => {
  const signs = causes(error)
    .map((one) => `${one.name} ${(one as NodeJS.ErrnoException).code ?? ''} ${one.message}`)
    .join('\n')
  const found = advices.find(({ sign }) => sign.test(`${typeOf(error) ?? ''} ${signs}`))
  return found?.advice ?? 'check that Kafka runs and can be reached, then try again'
}
