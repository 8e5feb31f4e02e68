package io.github.mcpclient.auth.oauth2;

import java.util.List;

import io.github.mcpclient.spi.TransportException;

import org.springframework.security.oauth2.core.OAuth2ErrorCodes;

/**
 * An authorization server refuses to issue a token, with an error code (RFC 6749, section
 * 5.2).
 */
final class TokenRefusalException extends TransportException {

	private final String code;

	private final boolean plain;

	private final boolean ofNonce;

	TokenRefusalException(TransportException worded, TokenAnswer error) {
		super(worded.getSummary(), String.valueOf(worded.getMessage()).substring(worded.getSummary().length()),
				worded.getNextStep(), false, null);
		this.code = error.meaning();
		this.plain = List.of(OAuth2ErrorCodes.INVALID_GRANT, "invalid_dpop_proof").contains(error.code());
		this.ofNonce = error.code().equals(Dpop.USE_NONCE);
	}

	/**
	 * Return whether a grant has ended, by an error code of RFC 6749, or was bound to a
	 * former key (RFC 9449).
	 */
	boolean isPlain() {
		return this.plain;
	}

	/**
	 * Return whether another nonce is required (RFC 9449, section 8).
	 */
	boolean isOfNonce() {
		return this.ofNonce;
	}

	/**
	 * Return whether the error code has this meaning, in any form of the response.
	 */
	boolean is(String code) {
		return this.code.equals(code);
	}

}
