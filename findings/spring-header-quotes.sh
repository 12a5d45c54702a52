#!/usr/bin/env bash
# Package:  spring-kafka 3.3.11 with kafka-clients 3.9.1 (Maven), Java 17
# Guess:    one value of a header is one sequence of bytes, whatever Java type it had; and what the header mapper
#           writes, it reads back
# Seen:     the source /my/source is written as it is where it was text, and in quotes where it was a `URI`: a reader
#           that is no Spring has two sources. `spring_json_header_types` lists both; of text it says java.lang.String,
#           whether that stands in quotes (setEncodeStrings) or not.
# Seen too: text that itself begins and ends with quotes is written as it is, and read back without them. An id "1"
#           is the id 1 to Spring's own consumers, and stays "1" to all others. With setEncodeStrings(true) it is kept.
# Run:      findings/spring-header-quotes.sh (fetches the packages into a temporary folder; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pom.xml <<'XML'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>findings</groupId>
  <artifactId>spring-header-quotes</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.springframework.kafka</groupId><artifactId>spring-kafka</artifactId><version>3.3.11</version></dependency>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-clients</artifactId><version>3.9.1</version></dependency>
    <dependency><groupId>com.fasterxml.jackson.core</groupId><artifactId>jackson-databind</artifactId><version>2.18.3</version></dependency>
  </dependencies>
</project>
XML
mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=jars >/dev/null
cat >Try.java <<'JAVA'
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.springframework.kafka.support.DefaultKafkaHeaderMapper;
import org.springframework.messaging.MessageHeaders;

public class Try {
    static String roundTrip(Object value, boolean encodesStrings) {
        var mapper = new DefaultKafkaHeaderMapper();
        mapper.setEncodeStrings(encodesStrings);
        var written = new RecordHeaders();
        mapper.fromHeaders(new MessageHeaders(Map.of("h", value)), written);
        Map<String, Object> read = new HashMap<>();
        mapper.toHeaders(written, read);
        String types = new String(written.lastHeader("spring_json_header_types").value());
        return new String(written.lastHeader("h").value()) + " " + types + " " + read.get("h");
    }

    public static void main(String[] args) {
        System.out.println("text   " + roundTrip("/my/source", false));
        System.out.println("URI    " + roundTrip(URI.create("/my/source"), false));
        System.out.println("quoted " + roundTrip("\"1\"", false));
        System.out.println("kept   " + roundTrip("\"1\"", true));
    }
}
JAVA
seen=$(java -cp 'jars/*' Try.java 2>/dev/null)
echo "$seen"
expected='text   /my/source {"h":"java.lang.String"} /my/source
URI    "/my/source" {"h":"java.net.URI"} /my/source
quoted "1" {"h":"java.lang.String"} 1
kept   "\"1\"" {"h":"java.lang.String"} "1"'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
