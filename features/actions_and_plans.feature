Feature: Actions and plans that are kept in memory

  Without a database the plan service keeps its actions and plans in memory.
  Report #1281 tells what several callers do to them. An action is lost without
  an error, because its name is looked up in one step and taken in another. A
  listing of plans breaks, because plans are added meanwhile.

  The suggested fix guards each step by itself. That is enough for the plans,
  which are made, found and listed in one step each, and not for the actions.

  @R2
  Scenario Outline: R2, two creators of one action, <version>
    Given a plan service in memory, <version>
    When two creators create the action "local/review-it"
    Then exactly one succeeds
    And the other is told that the action already exists
    And the action is the winner's

    @tdd_issue @tdd_issue_1281 @tdd_expected_fail
    Examples: broken
      | version      |
      | as reported  |
      | as suggested |

    @tdd_issue @tdd_issue_1281
    Examples: kept
      | version |
      | ours    |

  @R3
  Scenario Outline: R3, plans listed while others are made, <version>
    Given a plan service in memory, <version>
    When one caller makes a plan and then makes a plan
    And another makes a plan and then lists the plans
    And a third lists the plans
    Then nobody gets an error
    And every plan that was returned is found afterwards
    And every listing shows the plans as they were at one moment
    And three more plans are there

    @tdd_issue @tdd_issue_1281 @tdd_expected_fail
    Examples: broken
      | version     |
      | as reported |

    @tdd_issue @tdd_issue_1281
    Examples: kept
      | version      |
      | as suggested |
      | ours         |

  @R2
  Scenario: five creators of one action, and one who lists meanwhile
    Given a plan service in memory
    When five creators create the action "local/review-it" and another lists the actions
    Then the calls end like this:
      | outcome        | times |
      | success        | 1     |
      | already exists | 4     |
    And the action is the winner's

  @uses
  Scenario: an action is used by several, and each use counts
    Given a plan service in memory
    When three callers make a plan
    Then nobody gets an error
    And the action was used three times
    And three more plans are there

  @moves
  Scenario: a plan in memory that two callers move
    Given a plan service in memory
    And a plan at execute/complete
    When two callers apply the plan
    Then it is applied once
    And exactly one succeeds
    And the other is told what state it lost to

  Scenario: plans that are named
    Given a plan service in memory
    And these plans:
      | name | at                |
      | warp | execute/complete  |
      | weft | strategize/queued |
    When these happen at once:
      | who         | does                                                  |
      | two callers | apply the plan "warp"                                 |
      | one caller  | starts the plan "weft" and then reads the plan "weft" |
    Then exactly two succeed
    And the others are told what state they lost to

  @R3
  Scenario: plans that are started while others list them
    Given a plan service in memory
    And these plans:
      | name   | at                |
      | warp   | strategize/queued |
      | weft   | strategize/queued |
      | heddle | strategize/queued |
      | reed   | strategize/queued |
    When one caller starts the plan "warp" and then starts the plan "weft" and then starts the plan "heddle" and then starts the plan "reed"
    And another lists the plans
    And a third lists the plans
    Then nobody gets an error
    And every listing shows the plans as they were at one moment
