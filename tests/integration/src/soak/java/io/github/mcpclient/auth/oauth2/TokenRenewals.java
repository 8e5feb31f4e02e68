package io.github.mcpclient.auth.oauth2;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;

/**
 * When the replicas of an application renew tokens that were issued at the same moment,
 * and that all of them use all the time, with the default for {@code clock-skew}.
 *
 * @param perSecond how many do in each second
 */
public record TokenRenewals(Map<Long, Long> perSecond) {

	public static TokenRenewals of(int replicas, Duration life, long seed) {
		Random random = new Random(seed);
		Instant issued = Instant.EPOCH;
		List<Instant> renewals = IntStream.range(0, replicas)
			.mapToObj((i) -> new OAuth2AccessToken(TokenType.BEARER, "token-" + i, issued, issued.plus(life)))
			.map((token) -> Tokens.renewal(token, Duration.ofSeconds(60), random.nextInt()))
			.toList();
		return new TokenRenewals(
				renewals.stream().collect(Collectors.groupingBy(Instant::getEpochSecond, Collectors.counting())));
	}

	public long mostPerSecond() {
		return Collections.max(this.perSecond.values());
	}

	public Duration within() {
		return Duration
			.ofSeconds(Collections.max(this.perSecond.keySet()) - Collections.min(this.perSecond.keySet()) + 1);
	}

}
