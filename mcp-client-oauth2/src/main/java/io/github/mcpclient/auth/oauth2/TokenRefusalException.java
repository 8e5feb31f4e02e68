package io.github.mcpclient.auth.oauth2;

import io.github.mcpclient.spi.TransportException;

/**
 * An authorization server refuses to issue a token, with an error code (RFC 6749, section
 * 5.2).
 */
final class TokenRefusalException extends TransportException {

	private final String code;

	TokenRefusalException(TransportException worded, String code) {
		super(worded.getSummary(), String.valueOf(worded.getMessage()).substring(worded.getSummary().length()),
				worded.getNextStep(), false, null);
		this.code = code;
	}

	boolean is(String code) {
		return this.code.equals(code);
	}

}
